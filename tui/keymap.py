"""The user's own keys: a file that gives other keys to the entries of the key table."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hangtui.model import InputError, clean
from hangtui.tui.keys import KEYS, SCOPE_OF_VIEW, Key, Scope

NAMES = {
    "space", "enter", "escape", "tab", "backspace", "delete", "insert", "home", "end", "pageup",
    "pagedown", "up", "down", "left", "right", *(f"f{number}" for number in range(1, 25)),
}  # fmt: skip
"""Keys that have a name instead of a character."""
_SHOWN = {
    "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn",
    "escape": "Esc", "delete": "Del", "insert": "Ins",
}  # fmt: skip


def keymap_path(environ: Mapping[str, str]) -> Path:
    """``$XDG_CONFIG_HOME/hangtui/keys.toml``, or the same below ``~/.config``."""
    base = environ.get("XDG_CONFIG_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".config"
    return root / "hangtui" / "keys.toml"


def load_keymap(path: Path) -> dict[str, str]:
    """Keys, as Textual spells them, by the ids of the key table; empty without a file.

    Raises:
        InputError: the file cannot be read, names what does not exist, or gives one key to two
            actions.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise _wrong(path, error.strerror or str(error)) from error
    except ValueError as error:  # also of text that is not UTF-8
        raise _wrong(path, str(error)) from error
    keymap = {name: _keys(path, name, value) for name, value in values.items()}
    if problem := conflict(remapped(keymap)):
        raise _wrong(path, problem)
    return keymap


def remapped(keymap: Mapping[str, str]) -> tuple[Key, ...]:
    """The key table with the user's keys in place of ours."""
    return tuple(
        replace(key, keys=keymap[key.id], shown=_shown(keymap[key.id])) if key.id in keymap else key
        for key in KEYS
    )


def conflict(table: Sequence[Key]) -> str | None:
    """What is wrong with a table in which one key means two things on the same screen."""
    for view in SCOPE_OF_VIEW.values():
        taken: dict[str, str] = {}
        for key in table:
            if key.scope not in (view, Scope.LIST, Scope.PANE, Scope.GLOBAL):
                continue
            for name in filter(None, key.keys.split(",")):
                if (other := taken.setdefault(name, key.id)) != key.id:
                    return f"the key {name} is for {other} and for {key.id}"
    return None


def _keys(path: Path, name: str, value: object) -> str:
    if name not in {key.id for key in KEYS}:
        raise _wrong(path, f"there is no action {clean(name, 40)!r}")
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else None
    if not names or not all(isinstance(one, str) and _is_key(one) for one in names):
        raise _wrong(path, f"{name} = {clean(str(value), 40)}: not a key or a list of keys")
    return ",".join(names)


def _is_key(name: str) -> bool:
    *modifiers, last = name.split("+") if len(name) > 1 else [name]
    if any(modifier not in ("ctrl", "shift", "alt") for modifier in modifiers):
        return False
    return last in NAMES or (len(last) == 1 and last.isprintable() and last != ",")


def _shown(keys: str) -> str:
    """``^r F5`` for ``ctrl+r,f5``."""
    return " ".join(map(_shown_one, keys.split(",")))


def _shown_one(name: str) -> str:
    *modifiers, last = name.split("+") if len(name) > 1 else [name]
    text = _SHOWN.get(last, last if len(last) == 1 else last.capitalize())
    signs = {"ctrl": "^", "shift": "Shift+", "alt": "Alt+"}
    return "".join(signs[modifier] for modifier in modifiers) + text


def _wrong(path: Path, problem: str) -> InputError:
    return InputError(
        f"{clean(str(path))}: {clean(problem, 200)}", "docs/keys.md names all actions and keys"
    )
