"""A free-threaded CPython that waits for a thread which does not come to a stop of all threads."""

from hangtui.analysis.edges import Edge
from hangtui.analysis.places import blocking_frame, native_name, place
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import joined, listed, stillness
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Finding, Severity, Thread

ID = "world-not-stopped"
GROUND = ONE_WAIT
HELP = """\
A free-threaded CPython stops all threads for a moment, to collect garbage or to change what they
share. Each has to come to a point where it can stop; native code that blocks says beforehand that
it does (`Py_BEGIN_ALLOW_THREADS`), so that nobody waits for it. If it does not, whoever asked waits
for it, and all others who come to such a point wait as well.

How it is known: the interpreter records who asked and which threads are attached to it; the kernel
says that these sleep, and they did not run while they were watched.
"""

_HOW = "ctypes.CDLL instead of PyDLL, Py_BEGIN_ALLOW_THREADS in C, nogil in Cython"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each who asked, unless it is in a ring with one that does not come."""
    words = words_of(capture, graph)
    asked: dict[str, list[Edge]] = {}
    for wait in graph.edges:
        if words.operation(wait) == "stop":
            asked.setdefault(wait.source, []).append(wait)
    return [
        _finding(words.threads([waits[0].source])[0], waits, words)
        for waits in asked.values()
        if graph.cycle_of(waits[0].source) is None and words.threads([waits[0].source])
    ]


def _finding(thread: Thread, waits: list[Edge], words: Words) -> Finding:
    missing = words.threads(wait.target for wait in waits)
    behind = words.threads(wait.source for wait in words.graph.waiters_of(thread.id))
    who, first = words.thread_name(thread), missing[0]
    names = joined([words.thread_name(one) for one in missing])
    others = listed([words.thread_name(one) for one in behind])
    line = place(thread)
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(*waits),
        title=f"Threads cannot be stopped: {who} waits for {names}, stuck in {_inside(first)}",
        sentence=(
            f"{words.thread_name(first)} is blocked{_at(first)} in {_inside(first)} without having "
            f"told the interpreter so. {who}{f' at {line}' if line else ''} asked all threads to "
            f"stop, as the garbage collector does, and waits for {names}"
            f"{f'; so do those that have stopped: {others}' if behind else ''}."
        ),
        tells_victims=True,
        threads=tuple(map(ref, (*missing, thread, *behind))),
        evidence=(*map(words.reading, waits), stillness(missing)),
        advice=(f"Detach from the interpreter around that call{_at(first)}: {_HOW}.",),
    )


def _at(thread: Thread) -> str:
    line = place(thread)
    return f" at {line}" if line else ""


def _inside(thread: Thread) -> str:
    frame = blocking_frame(thread)
    if frame is None and thread.syscall is not None:
        return f"the system call {thread.syscall.name}"
    return native_name(frame) if frame else "native code"
