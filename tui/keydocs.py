"""The page of the documentation that lists all keys, made from the key table."""

from collections.abc import Sequence

from hangtui.tui.bindings import keys_of
from hangtui.tui.keys import KEYS, Key, Scope

_HEAD = """\
# Keys

`?` shows the keys of the present screen, `:` finds every action by its words. This page is made from the same table (`script/docs-keys`).

## Keys of your own

`$XDG_CONFIG_HOME/hangtui/keys.toml` (`~/.config/hangtui/keys.toml`) gives other keys to the actions below, each named by its id:

```toml
"capture.new" = "f5"
"move.down" = ["j", "down", "ctrl+n"]
```

A key is a character, one of `space enter escape tab backspace delete insert home end pageup pagedown up down left right f1` to `f24`, each with `ctrl+`, `shift+` or `alt+` before it if wanted. A file with a mistake in it, or that gives one key to two actions of the same screen, is refused with one line that says why.

## Colours and signs

The screens use the terminal's own colours. `--theme dark`, `light` or `high-contrast`, or `HANGTUI_THEME` with one of these names, asks for others, and `: other colours` goes through them; `NO_COLOR=1` leaves bold and reverse only, `--ascii` draws with plain characters. What a state is, its letter and its word say; a colour only repeats it.
"""  # noqa: E501  a page of prose


def to_markdown() -> str:
    """The whole page."""
    sections = (_section(scope) for scope in Scope)
    return "\n".join([_HEAD, *filter(None, sections)]).rstrip() + "\n"


def _section(scope: Scope) -> str:
    keys: Sequence[Key] = [key for key in keys_of(scope) if key in KEYS]
    if not keys:
        return ""
    rows = [f"| {_shown(key)} | {key.told} | `{key.id}` |" for key in keys]
    return "\n".join([f"## {scope.value}", "", "| key | does | id |", "|---|---|---|", *rows, ""])


def _shown(key: Key) -> str:
    """The keys as code; the palette where there are none."""
    return " ".join(f"`{part}`" for part in key.shown.split()) or "`:`"
