"""Which of gdb's commands the console does not pass on, and why."""

import re

_RUNNING = frozenset(
    "run start starti attach detach kill target continue fg step next stepi nexti stepping until "
    "advance finish jump signal queue-signal interrupt checkpoint record reverse-continue "
    "add-inferior remove-inferiors inferior generate-core-file gcore monitor load restore "
    "compile".split()
)
"""They begin, resume, end or change processes: hangtui has keys for what is harmless of it."""
_READING = frozenset(
    "shell make pipe edit python-interactive pi commands define document while if".split()
)
"""They read on from the terminal, which is the screens'."""
_ENDING = frozenset({"quit", "exit", "q"})
_SHORT = frozenset("r c s n u k j si ni fg fin rc".split())
_HARMLESS = frozenset(
    "show find print ptype info inspect delete display disassemble down up dump frame file thread "
    "list output set help whatis where backtrace search section sharedlibrary watch catch "
    "python".split()
)
"""Beginnings that gdb takes for these are passed on, though some begin another command too."""
_CARRIERS = frozenset("thread frame taas tfaas faas with w server interpreter-exec alias".split())
"""Commands that carry another one: ``thread apply all kill``."""
_LONE = frozenset("python py guile gu".split())


def refusal(command: str, *, live: bool) -> str | None:
    """Why a command is not passed on to gdb; None: it is."""
    text = command.strip()
    word = text.split(None, 1)[0] if text else ""
    reason = None
    if not text:
        reason = "nothing to do"
    elif word[0] in "!|" or _means(word, _READING):
        reason = "that would take the keys away from the screens: ^Z suspends hangtui"
    elif "\n" in text or (word in _LONE and text == word):
        reason = f"{word} reads more lines than the console has: give it in one"
    elif _means(word, _ENDING):
        reason = "Esc leaves the console"
    elif word in _SHORT or _means(word, _RUNNING) or (word := _carried(word, text)):
        here = "the process is stopped: R lets it go" if live else "this is a copy: A stops it"
        reason = f"{word} would begin, change or resume a process; {here}"
    elif text.startswith("set") and " may-" in text:
        reason = "nothing in a target is changed, and nothing in it is called"
    return reason


def _carried(carrier: str, text: str) -> str:
    """A word of *text* that *carrier* would have gdb execute, and that is refused; or nothing."""
    if "execute" not in text and carrier not in _CARRIERS:
        return ""
    carried = re.findall(r"[\w-]+", text)[1:]
    return next((word for word in carried if word in _RUNNING - {"target", "inferior"}), "")


def _means(word: str, names: frozenset[str]) -> bool:
    """Whether *word* is one of *names*, or gdb would take it for one of them."""
    if word in names:
        return True
    if len(word) < 2 or any(name.startswith(word) for name in _HARMLESS):
        return False
    return any(name.startswith(word) for name in names)
