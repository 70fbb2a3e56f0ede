"""What threads of other processes do that run the application's code, where all of a process wait
in the package in which somebody else waits for them: so do the workers of a cluster, say."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.places import application_index
from hangtui.findings.english import joined
from hangtui.findings.stack_queries import at, library_entry, library_wait, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Process, Thread

_BOTH = 2


def others_in_library(pid: int, package: str, words: Words) -> str:
    """`` In process 12 both threads that run the application's code wait in it as well: ...``, or
    nothing."""
    told = [
        line
        for process in words.capture.processes
        if process.pid != pid and (line := _told(process, package, words))
    ]
    more = len(told) - 1
    so = f" So it is in {more} more process{'' if more == 1 else 'es'}." if more > 0 else ""
    return f"{told[0]}{so}" if told else ""


def _told(process: Process, package: str, words: Words) -> str:
    running = list(_running(process))
    if not running or not all(one.asleep and library_wait(one) == package for one in running):
        return ""
    where = dict.fromkeys(f"{at(own_frame(one)).strip()}, in {library_entry(one)}"
                          for one in running)  # fmt: skip
    places = joined(list(where)[:NAMES_LISTED])
    return f" In {words.process_name(process.pid)} {_all(running)} in it as well: {places}."


def _running(process: Process) -> Iterator[Thread]:
    """The threads that run the application's code."""
    for thread in process.threads:
        if thread.is_python and application_index(thread.python_stack or ()) is not None:
            yield thread


def _all(threads: Sequence[Thread]) -> str:
    what = "that run the application's code wait"
    if len(threads) == 1:
        return "the only thread that runs the application's code waits"
    return f"both threads {what}" if len(threads) == _BOTH else f"all {len(threads)} threads {what}"
