"""The arguments of the console's commands: what is understood of them, as gdb gets it.

Each function takes what stands behind a command and gives back what stands behind it for gdb,
a blank or a format before it; it raises RefusedError where it is anything else.
"""

import re
from collections.abc import Callable, Mapping

from hangtui.backends.debugger.expressions import flaw
from hangtui.model import clean

_NAME = r"[A-Za-z_~][A-Za-z0-9_:~$.]*"
_FILE = r"[A-Za-z0-9_./][A-Za-z0-9_./+-]*"
_NAMED = re.compile(_NAME)
_NAMED_OR_NOT = re.compile(rf"(?:{_NAME})?")
_COUNT = re.compile(r"-?[0-9]{1,9}")
_COUNT_OR_NOT = re.compile(r"(?:-?[0-9]{1,9})?")
_THREAD = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_FLAG = re.compile(r"(-[qcs]|-ascending)(?: +|$)")
_PLACE = re.compile(rf"[+-]?[0-9]*|(?:{_FILE}:)?(?:[0-9]+|{_NAME})")
_FORMAT = re.compile(r"/(-?[0-9]{0,9}[a-z]{0,6})(?![A-Za-z0-9])")
_SEARCH = re.compile(r"[A-Za-z0-9_ .*+?^$|()\[\]:<>~,=&-]*")
_PLAIN = re.compile(r"[A-Za-z0-9_ .$-]*")
_IDS = re.compile(r"(?:[0-9]+(?:-[0-9]+|\.(?:[0-9]+(?:-[0-9]+)?|\*))?|\*)(?= |$)")
_PRINT_OPTION = re.compile(
    r"-(?:address|array|array-indexes|elements|max-depth|nibbles|null-stop|object|pretty"
    r"|raw-values|repeats|static-members|symbol|union|vtbl)"
    r"(?: +(?:on|off|unlimited|[0-9]{1,9}))?(?: +|$)"
)
_TRACE_OPTION = re.compile(
    r"full|-full|-past-main|-past-entry|-hide|hide|-no-filters|no-filters|-raw-frame-arguments"
    r"|-frame-arguments +(?:all|scalars|none|presence)"
)
_SETTING = re.compile(
    r"(?:print|p) +(pretty|elements|object|array|array-indexes|union|symbol|repeats|max-depth"
    r"|null-stop|static-members|vtbl)(?: +(on|off|unlimited|[0-9]{1,9}))?"
)


class RefusedError(Exception):
    """A line is not passed on; the message says why."""


def none(rest: str) -> str:
    """Nothing."""
    if rest:
        raise RefusedError(f"{clean(rest, 40)}: there are no arguments here")
    return ""


def value(rest: str) -> str:
    """An expression that only reads, or nothing."""
    if (reason := flaw(rest)) is not None:
        raise RefusedError(clean(reason, 200))
    return f" {rest}" if rest else ""


def matching(pattern: re.Pattern[str], what: str) -> Callable[[str], str]:
    """A function for arguments that match *pattern* as a whole; else they are no *what*."""

    def check(rest: str) -> str:
        if pattern.fullmatch(rest) is None:
            raise RefusedError(f"{clean(rest, 40)} is no {what}")
        return f" {rest}" if rest else ""

    return check


count = matching(_COUNT_OR_NOT, "number of frames")
search = matching(_SEARCH, "search")
plain = matching(_PLAIN, "list of names")


def formatted(rest: str) -> str:
    """A format, ``/4gx``, and an expression."""
    found = _FORMAT.match(rest)
    if found is None:
        return value(rest)
    return f"/{found[1]}{value(rest[found.end() :].strip(' '))}"


def print_(rest: str) -> str:
    """Options, a format, an expression. gdb takes options only where ``--`` ends them; else they
    are an expression."""
    at = 0
    while option := _PRINT_OPTION.match(rest, at):
        at = option.end()
    if at and rest.startswith("--", at):
        options = " ".join(rest[:at].split())
        return f" {options} --{formatted(rest[at + 2 :].strip(' '))}"
    return formatted(rest)


def backtrace(rest: str) -> str:
    """Options, and a number of frames."""
    left = rest
    while option := _TRACE_OPTION.match(left):
        left = left[option.end() :].lstrip(" ")
    if left and _COUNT.fullmatch(left) is None:
        raise RefusedError(
            f"{clean(left, 40)} is neither an option of backtrace nor a number of frames"
        )
    return f" {rest}" if rest else ""


def frame(rest: str) -> str:
    """A frame's number, or ``level``, ``address`` or ``function`` and which."""
    how, _, what = rest.partition(" ")
    what = what.strip(" ")
    if how == "function" and _NAMED.fullmatch(what):
        return f" function {what}"
    if how == "level" and _COUNT.fullmatch(what):
        return f" level {what}"
    if how == "address" and what:
        return f" address{value(what)}"
    return count(rest)


def thread(rest: str) -> str:
    """A thread's number, or ``find`` and what in its name."""
    how, _, what = rest.partition(" ")
    if how == "find":
        return f" find{search(what.strip(' '))}"
    if rest and _THREAD.fullmatch(rest) is None:
        raise RefusedError(f"{clean(rest, 40)} is not the number of a thread")
    return f" {rest}" if rest else ""


def lines(rest: str) -> str:
    """``N``, ``N,M``, ``FILE:N``, ``function``, ``*ADDRESS``."""
    if rest.startswith("*"):
        return f" *{value(rest[1:]).strip(' ')}"
    places = [place.strip(" ") for place in rest.split(",")]
    if len(places) > 2 or not all(map(_PLACE.fullmatch, places)):
        raise RefusedError(f"{clean(rest, 40)} is not a place in the source")
    return f" {', '.join(places)}" if rest else ""


def place(rest: str) -> str:
    """One of them: with a comma alone gdb 13 crashes."""
    if "," in rest and not rest.startswith("*"):
        raise RefusedError(f"{clean(rest, 40)} is more than one place")
    return lines(rest)


def set_(rest: str) -> str:
    """How values are printed."""
    found = _SETTING.fullmatch(rest)
    if found is None:
        raise RefusedError("set: only how values are printed (set print pretty on)")
    return f" print {found[1]}" + (f" {found[2]}" if found[2] else "")


def info(rest: str) -> str:
    """One of the listings, and what that takes."""
    word, _, arguments = rest.partition(" ")
    name = _SHORT_INFO.get(word, word)
    check = _INFO.get(name)
    if check is None:
        raise RefusedError(f"info {clean(word, 40)} is not among what this console shows")
    return f" {name}{check(arguments.strip(' '))}"


# -- commands within commands ---------------------------------------------------------------------


def carried(applied: str, rest: str) -> tuple[str, str] | None:
    """What stands before the command that *rest* carries, and that command; None: it has none.

    *applied*: what it is applied to, ``thread`` or ``frame``, where *rest* names which; ``all``.
    """
    if applied == "all":
        return _flags("", rest)
    word, _, left = rest.partition(" ")
    if word != "apply":
        return None
    left = left.strip(" ")
    first, _, behind = left.partition(" ")
    if first == "all" or (applied == "frame" and _COUNT.fullmatch(first)):
        return _flags(f"apply {first}", behind)
    before = "apply"
    if applied == "frame":
        if first != "level":
            raise RefusedError("frame apply: all, a number of frames, or level N")
        before, left = "apply level", behind.strip(" ")
    known = before
    while found := _IDS.match(left):
        before, left = f"{before} {found[0]}", left[found.end() :].strip(" ")
    if before == known:
        raise RefusedError(f"{applied} apply: to which?")
    return _flags(before, left)


def _flags(before: str, rest: str) -> tuple[str, str]:
    left = rest.strip(" ")
    while found := _FLAG.match(left):
        before, left = f"{before} {found[1]}".strip(" "), left[found.end() :]
    if left.startswith("-- "):
        left = left[3:].strip(" ")
    return before, left


_INFO: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("threads", "registers", "all-registers", "vector", "float"), plain),
    **dict.fromkeys(("symbol", "vtbl"), value),
    **dict.fromkeys(("address", "macro", "signals"), matching(_NAMED_OR_NOT, "name")),
    **dict.fromkeys(("line", "scope"), place),
    **dict.fromkeys(("args", "locals", "functions", "variables", "types", "sharedlibrary"), search),
    **dict.fromkeys(
        ("auxv", "files", "target", "inferiors", "program", "source", "breakpoints", "auto-load"),
        none,
    ),
    "frame": frame,
    "stack": backtrace,
}
_SHORT_INFO = {
    "r": "registers",
    "reg": "registers",
    "registers": "registers",
    "th": "threads",
    "thread": "threads",
    "lo": "locals",
    "loc": "locals",
    "ar": "args",
    "f": "frame",
    "s": "stack",
    "sh": "sharedlibrary",
    "share": "sharedlibrary",
    "dll": "sharedlibrary",
    "sym": "symbol",
    "li": "line",
    "fu": "functions",
    "fun": "functions",
    "sc": "scope",
    "var": "variables",
    "inf": "inferiors",
    "b": "breakpoints",
    "signal": "signals",
}
