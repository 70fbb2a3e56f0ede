"""What the console passes on to gdb: commands that look, taken apart and put together anew.

What is not known here is refused, with the reason in one line. gdb gets full names and arguments
that were understood, never the line as it was typed.
"""

import re
from collections.abc import Callable, Mapping

from hangtui.backends.debugger import arguments
from hangtui.backends.debugger.arguments import RefusedError
from hangtui.model import clean

LONGEST = 2000
"""Characters of a line; more than anybody types."""
_DEEPEST = 3
"""``thread apply all frame apply all COMMAND`` is the most that makes sense."""

_RUNNING = frozenset(
    "run r start starti attach detach kill k target continue cont c fg step s next n stepi si nexti"
    " ni stepping until u advance finish fin jump j signal queue-signal interrupt checkpoint"
    " record".split()
)
"""Refused like all the rest, with a word on which key does it."""
_READING_ON = frozenset("define document commands while if".split())
_READING_ALONE = frozenset(
    "python py python-interactive pi guile gu guile-repl gr compile shell ! edit".split()
)
"""Without arguments they read more lines than the console has, as `_READING_ON` always do."""
_ENDING = frozenset({"quit", "exit", "q"})

_WORD = re.compile(r"([a-z][a-z-]*+)(?![A-Za-z0-9_.])(.*)")


def checked(line: str, *, live: bool) -> str:
    """A line that looks, as gdb gets it; *live*: the process stands still for it.

    Raises:
        RefusedError: it does more, or nobody can tell.
    """
    return _command(_one_line(line), live, 0)


def unchecked(line: str) -> str:
    """Any line that a console can carry out (``--allow-console``).

    Raises:
        RefusedError: it waits for more lines, which there are not, or it ends gdb.
    """
    text = _one_line(line)
    word, _, rest = text.partition(" ")
    if word in _READING_ON or (word in _READING_ALONE and not rest.strip()):
        raise RefusedError(f"{word} reads more lines than the console has: give it in one")
    if word in _ENDING:
        raise RefusedError("Esc leaves the console")
    return text


def completed(text: str, matches: tuple[str, ...]) -> tuple[str, ...]:
    """Those of gdb's *matches* for *text* that begin a line that looks."""
    word = _WORD.match(text)
    if word is None or word[2]:
        return matches
    return tuple(match for match in matches if match.partition(" ")[0] in _COMMANDS)


def completable(text: str) -> bool:
    """Whether gdb may be asked how *text* goes on: only for what looks, and never for commands
    within another one, which may be about files."""
    word = _WORD.fullmatch(text)
    if word is None or len(text) > LONGEST or not text.isprintable() or " apply" in text:
        return False
    return not word[2] or _SHORT.get(word[1], word[1]) in _COMMANDS


def _one_line(line: str) -> str:
    text = line.strip(" ")
    if not text:
        raise RefusedError("nothing to do")
    if len(text) > LONGEST:
        raise RefusedError(f"a line of more than {LONGEST} characters")
    if not text.isprintable():
        raise RefusedError("a line with characters that are not printed")
    return text


def _command(text: str, live: bool, depth: int) -> str:
    found = _WORD.fullmatch(text)
    word = found[1] if found else text.split(" ", 1)[0]
    name = _SHORT.get(word, word)
    if found is None or (check := _COMMANDS.get(name)) is None:
        raise RefusedError(_why(word, live))
    rest = found[2].strip(" ")
    if (applied := _APPLIED.get(name)) is not None and (
        carried := arguments.carried(applied, rest)
    ):
        if depth >= _DEEPEST:
            raise RefusedError(f"{name}: too many commands within one another")
        before, command = carried
        if not command:
            raise RefusedError(f"{name}: which command?")
        words = (name, before, _command(command, live, depth + 1))
        return " ".join(word for word in words if word)
    return f"{name}{check(rest)}"


def _why(word: str, live: bool) -> str:
    shown = clean(word, 40)
    if word in _ENDING:
        return "Esc leaves the console"
    if word in _RUNNING:
        here = "the process is stopped: R lets it run" if live else "this is a copy: A stops it"
        return f"{shown} would begin, change or resume a process; {here}"
    return (
        f"{shown}: this console only looks (print, x, info, bt, frame, thread apply, list, ptype,"
        " disassemble); hangtui --allow-console opens all of gdb"
    )


_COMMANDS: Mapping[str, Callable[[str], str]] = {
    "print": arguments.print_,
    "x": arguments.formatted,
    "info": arguments.info,
    "backtrace": arguments.backtrace,
    "frame": arguments.frame,
    "up": arguments.count,
    "down": arguments.count,
    "thread": arguments.thread,
    "disassemble": arguments.formatted,
    "ptype": arguments.formatted,
    "whatis": arguments.formatted,
    "list": arguments.lines,
    "set": arguments.set_,
    "show": arguments.plain,
    "help": arguments.plain,
    "faas": arguments.none,
    "taas": arguments.none,
}
_APPLIED = {"thread": "thread", "frame": "frame", "faas": "all", "taas": "all"}
_SHORT = {
    "p": "print",
    "inspect": "print",
    "i": "info",
    "inf": "info",
    "h": "help",
    "bt": "backtrace",
    "where": "backtrace",
    "f": "frame",
    "t": "thread",
    "thr": "thread",
    "l": "list",
    "disas": "disassemble",
    "dow": "down",
}
