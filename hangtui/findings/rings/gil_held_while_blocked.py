"""A thread that keeps the GIL while it sleeps in the kernel, and stops all others by that."""

from hangtui.analysis.places import blocking_frame, native_name, place
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import listed, stillness
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.needs import Needs
from hangtui.findings.rings import gil_needed
from hangtui.findings.rings.deadlock_advice import RELEASE_GIL, native_call
from hangtui.findings.thresholds import GIL_HELD_STILL_MS
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GilState,
    NodeId,
    NodeKind,
    Severity,
    Source,
    Thread,
)

ID = "gil-held-while-blocked"
GROUND = ONE_WAIT
NEEDS = Needs(whole=False)
HELP = """\
The GIL is the interpreter's global lock: only the thread that has it runs Python. Native code that
waits for something should release it first. If it does not, no other thread can run Python.

How it is known: the interpreter records the holder; the kernel says that it sleeps in a system
call, and for how long it did not run.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such thread that is no member of a deadlock."""
    words = words_of(capture, graph)
    found = []
    for thread in capture.threads():
        if not _blocked_with_gil(thread) or graph.cycle_of(thread.id) is not None:
            continue
        if _handed_on(thread, capture, graph) or _never_ends(thread, words):
            continue
        waiters = _waiters(thread, capture, graph, words)
        if waiters:
            found.append(_finding(thread, waiters, words))
    return found


def _never_ends(thread: Thread, words: Words) -> bool:
    """Whether another rule says that this is a deadlock."""
    process, lasting = words.capture.process(thread.pid), words.lasting.get(thread.id)
    return (
        process is not None
        and lasting is not None
        and bool(gil_needed.needing_it(thread, lasting[1], process, words))
    )


def _blocked_with_gil(thread: Thread) -> bool:
    return (
        thread.gil is GilState.HOLDS
        and thread.still is True
        and thread.still_ms is not None
        and thread.still_ms >= GIL_HELD_STILL_MS
        and thread.state in ("S", "D")
        and (thread.syscall is not None or bool(thread.native_stack))
    )


def _handed_on(holder: Thread, capture: Capture, graph: WaitGraph) -> bool:
    """Whether the record is of a moment ago: to wait for an object of its own the interpreter lets
    go of the GIL, and another thread that ran meanwhile has had it since."""
    wait, process = graph.wait_of(holder.id), capture.process(holder.pid)
    if wait is None or process is None or wait.evidence.source != Source.CPYTHON:
        return False
    return any(
        t.is_python and t.still is False and t.gil is not GilState.WAITS
        for t in process.threads
        if t.id != holder.id
    )


def _waiters(holder: Thread, capture: Capture, graph: WaitGraph, words: Words) -> list[Thread]:
    """Who waits for the GIL that *holder* holds: there may be one for each interpreter."""
    own = [e.source for e in graph.held_by(holder.id) if _is_gil(graph, e.source)]
    if own:
        return words.threads(wait.source for node in own for wait in graph.waiters_of(node))
    process = capture.process(holder.pid)
    others = process.threads if process else ()
    return [t for t in others if t.gil is GilState.WAITS and t.id != holder.id]


def _is_gil(graph: WaitGraph, node_id: NodeId) -> bool:
    node = graph.node(node_id)
    return node is not None and node.kind is NodeKind.GIL


def _finding(thread: Thread, waiters: list[Thread], words: Words) -> Finding:
    frame = blocking_frame(thread)
    inside = native_name(frame) if frame else "a system call"
    if frame is None and thread.syscall is not None:
        inside = f"the system call {thread.syscall.name}"
    gils = [e.source for e in words.graph.held_by(thread.id) if _is_gil(words.graph, e.source)]
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(
            Certainty.CERTAIN, *(e for gil in gils for e in words.graph.holders_of(gil))
        ),
        title=f"GIL held while blocked: {words.thread_name(thread)} is stuck in {inside}",
        sentence=_sentence(thread, waiters, inside, words),
        tells_victims=True,
        threads=(ref(thread), *(ref(waiter) for waiter in waiters)),
        resources=tuple(gils),
        evidence=tuple(_evidence(thread, waiters, gils, words)),
        unknown=tuple(_unknown(thread, words)),
        advice=(
            f"Release the GIL around {native_call(thread)}: {RELEASE_GIL}.",
            "Or give that call a timeout, and go back to Python in between.",
        ),
    )


def _sentence(thread: Thread, waiters: list[Thread], inside: str, words: Words) -> str:
    line = place(thread)
    called = f", called from {line}" if line else ""
    wait = words.graph.wait_of(thread.id)
    goal = f" and waits {words.goal(wait)}" if wait else ""
    names = [words.thread_name(waiter) for waiter in waiters]
    behind = (
        f"{names[0]} waits for the GIL behind it"
        if len(names) == 1
        else f"{len(names)} threads wait for the GIL behind it: {listed(names)}"
    )
    return (
        f"{words.thread_name(thread)} holds the GIL while it is blocked in {inside}{called}{goal}. "
        f"Until it lets go, no other thread of the process can run Python; {behind}."
    )


def _evidence(thread: Thread, waiters: list[Thread], gils: list[NodeId], words: Words) -> list[str]:
    lines = [words.reading(e) for node in gils for e in words.graph.holders_of(node)]
    if not lines:
        lines = [f"{words.thread_name(thread)} holds the GIL (certain)"]
    if thread.syscall is not None:
        detail = f": {thread.syscall.detail}" if thread.syscall.detail else ""
        lines.append(
            f"it sleeps in the system call {thread.syscall.name}{detail}, state {thread.state}"
        )
    lines.append(stillness([thread]))
    names = [words.thread_name(waiter) for waiter in waiters]
    return [*lines, f"waiting for the GIL: {listed(names)}"]


def _unknown(thread: Thread, words: Words) -> list[str]:
    if words.graph.wait_of(thread.id) is not None or thread.syscall is None:
        return []
    return [f"who would end its {thread.syscall.name}, and whether that needs the GIL"]
