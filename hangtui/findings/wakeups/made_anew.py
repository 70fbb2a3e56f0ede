"""What a process that was started anew, by `spawn` or `forkserver`, has made of its own where its
modules were imported, while its parent has another one of the same name."""

from hangtui.findings.words import Words
from hangtui.model import Process

_STARTERS = ("multiprocessing.spawn import", "--multiprocessing-fork")
"""In the command line of what `multiprocessing` has started anew."""


def told_anew(process: Process, name: str, words: Words) -> str:
    """`` Process 7 was started anew (spawn) ...``; empty: it was not, or its parent has ended."""
    parent = _parent_of(process, words)
    if parent is None:
        return ""
    return (
        f" As {words.process_name(process.pid)} was started anew (spawn), what a module makes when "
        f"it is imported was made again there: {name} may be another one than that of "
        f"{words.process_name(parent.pid)}."
    )


def anew_advice(process: Process, name: str, words: Words) -> tuple[str, ...]:
    """What to do about that; empty: it is no such process."""
    if _parent_of(process, words) is None:
        return ()
    return (
        (
            f"Give {name} to the process that needs it: args=(...) of Process, initargs=(...) of a "
            "pool. A variable of a module is another object in each process that spawn starts."
        ),
    )


def _parent_of(process: Process, words: Words) -> Process | None:
    """Who has started it anew; None: it is a fork, or its parent is not known."""
    anew = any(one in part for part in process.cmdline for one in _STARTERS)
    return words.capture.process(process.ppid) if anew and process.ppid else None
