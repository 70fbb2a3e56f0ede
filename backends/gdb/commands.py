"""Commands for gdb, made of parts of which none can say more than it should.

gdb's languages know no clear border between a command and its arguments: a quote or a line feed in
a path begins another command, and some commands start a shell. So a command consists of words of
the list below, which only our own code can name (mypy checks each against it, and so does the
constructor), and of values that are numbers, or text that is quoted here and nowhere else.
"""

import re
from typing import Final, Literal, get_args

Word = Literal[
    # the machine interface
    "-complete",
    "-data-disassemble",
    "-data-evaluate-expression",
    "-data-list-register-names",
    "-data-list-register-values",
    "-exec-continue",
    "-file-list-shared-libraries",
    "-gdb-show confirm",
    "-gdb-version",
    "-interpreter-exec",
    "-stack-list-frames",
    "-stack-list-variables",
    "-target-attach",
    "-target-detach",
    "-thread-info",
    "--all-values",
    "--frame",
    "--no-frame-filters 0",
    "--simple-values",
    "--skip-unavailable x",
    "--thread",
    "-- 0",
    "-e",
    "-s",
    "console",
    # the console; the files have these names in the folder that gdb is started in
    "catch signal",
    "core-file core",
    "echo @@@",
    "\\n",
    "file program",
    "generate-core-file",
    "handle SIGINT nostop noprint pass",
    "handle all nostop noprint pass",
    "info line *",
    "print",
    "sharedlibrary",
    "show version",
    "python\nb = gdb.block_for_pc(",
    ")\nwhile b is not None and not b.is_global and not b.is_static:\n",
    "if b.function is not None: print('NAME ' + b.function.name)\n b = b.superblock",
    # settings
    "set auto-load off",
    "set auto-load safe-path /nonexistent",
    "set auto-solib-add off",
    "set backtrace limit 4096",
    "set backtrace past-main on",
    "set confirm off",
    "set debug-file-directory debug:/usr/lib/debug",
    "set debuginfod enabled off",
    "set demangle-style none",
    "set exec-file-mismatch off",
    "set height 0",
    "set libthread-db-search-path /nonexistent",
    "set may-call-functions off",
    "set may-insert-breakpoints off",
    "set may-insert-tracepoints off",
    "set may-write-memory off",
    "set may-write-registers off",
    "set mi-async on",
    "set pagination off",
    "set print entry-values no",
    "set print frame-arguments none",
    "set print max-depth 3",
    "set python print-stack none",
    "set source open off",
    "set startup-with-shell off",
    "set style enabled off",
    "set sysroot root",
    "set width 0",
]
"""All that is ever said to gdb, but for values."""
_WORDS: Final = frozenset(get_args(Word))
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_NO_NAME = re.compile(r"[^A-Za-z0-9_/-]")


class Value:
    """A part that is no word of ours."""

    def __init__(self, text: str) -> None:
        self.text: Final = text


class Address(Value):
    """A number, written in hexadecimal."""

    def __init__(self, number: int) -> None:
        super().__init__(f"{number:#x}")


class Quoted(Value):
    """Any text, as one argument of a command of the machine interface."""

    def __init__(self, text: str) -> None:
        flat = _line(text)
        super().__init__('"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"')


class Ending(Value):
    """A regular expression for names that end in *text*; what could be special becomes a dot."""

    def __init__(self, text: str) -> None:
        super().__init__(_NO_NAME.sub(".", text) + "$")


class Typed(Value):
    """What the user of hangtui typed, in one line; no text of a target's.

    It is what it says, a command or a part of one: whoever passes it on has looked at it.
    """

    def __init__(self, text: str) -> None:
        super().__init__(_line(text))


Part = Word | int | Value


class GdbCommand:
    """One command, which is one line."""

    __slots__ = ("line",)

    def __init__(self, *parts: Part) -> None:
        """Of *parts*, with a space between them.

        Raises:
            TypeError: a text is none of the known words.
        """
        self.line: Final = " ".join(_text(part) for part in parts)

    def __repr__(self) -> str:
        return f"GdbCommand({self.line!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GdbCommand) and other.line == self.line

    def __hash__(self) -> int:
        return hash(self.line)


def console(*parts: Part, thread: int | None = None, frame: int | None = None) -> GdbCommand:
    """A command of gdb's console as one of the machine interface; *frame*: of that thread."""
    inner = Quoted(GdbCommand(*parts).line)
    place: list[Part] = [] if thread is None else ["--thread", thread]
    place += [] if frame is None else ["--frame", frame]
    return GdbCommand("-interpreter-exec", *place, "console", inner)


def _text(part: Part) -> str:
    if isinstance(part, Value):
        return part.text
    if isinstance(part, int):
        return str(int(part))
    if part not in _WORDS:
        raise TypeError("a command for gdb has a part that is no known word")
    return part


def _line(text: str) -> str:
    """*text* without what could end a line or be no text at all."""
    return _CONTROL.sub(" ", text).encode("utf-8", "replace").decode()
