"""A finalizer that blocks: ``__del__`` or a weak reference's callback, run at a random moment by
the garbage collector inside of a function that has nothing to do with it."""

from dataclasses import dataclass

from hangtui.analysis.frame_classifier import module_name, short_name
from hangtui.analysis.places import blocking_frame, function_of, library_frame, native_name
from hangtui.analysis.states import COLLECTORS
from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import listed
from hangtui.findings.grounds import RING
from hangtui.findings.stack_queries import (
    at,
    collecting,
    name_of,
    natives_until_python,
    still,
    stood_s,
    told,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, PythonFrame, Severity, Thread

ID = "finalizer-blocked"
GROUND = RING
HELP = """\
A finalizer is code that runs when an object goes: a `__del__` method, or the callback of a
`weakref.finalize`. If the object is part of a reference cycle, the garbage collector runs it, at a
moment that nobody chose: inside of whatever function made the object that was one too many.

How it is known: the Python stack shows the finalizer right above a line that does not call it, and
the native stack shows a function of the collector below the wait. If what it waits for is a lock
that the interrupted function holds, it waits for itself: an error. The same holds for a call that
returns only after something else was closed (zmq_ctx_term), if no other Python thread exists and it
stood still over several captures.
"""

_CLOSING = {
    "zmq_ctx_term": (
        "zmq_ctx_term waits until every socket of that context is closed",
        "The zmq.Socket objects that it waits for",
    ),
    "zmq_ctx_destroy": (
        "zmq_ctx_destroy waits until every socket of that context is closed",
        "The zmq.Socket objects that it waits for",
    ),
    "zmq_term": (
        "zmq_term waits until every socket of that context is closed",
        "The zmq.Socket objects that it waits for",
    ),
    "pthread_join": ("pthread_join waits for a native thread to end", "What that thread needs"),
}
"""Native functions that only return after something else was done, and what that is."""


@dataclass(frozen=True, slots=True)
class _Case:
    thread: Thread
    finalizer: PythonFrame
    below: PythonFrame | None
    """The line that the finalizer interrupted."""
    by_collector: bool
    words: Words

    @property
    def name(self) -> str:
        """Of the thread."""
        return self.words.thread_name(self.thread)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that is blocked inside of a finalizer."""
    words = words_of(capture, graph)
    return [
        _finding(case)
        for thread in capture.threads()
        if thread.blocked and (case := _case(thread, words)) and _for_long(case)
    ]


def _case(thread: Thread, words: Words) -> _Case | None:
    stack = thread.python_stack or ()
    for index, frame in enumerate(stack):
        # It was called by C code, not by the line below it.
        if frame.entry is not False and _finalizer(frame):
            below = _function_below(thread, index + 1)
            return _Case(thread, frame, below, collecting(thread), words)
    return None


def _function_below(thread: Thread, start: int) -> PythonFrame | None:
    """The innermost frame with a name of its own: a comprehension has none."""
    frames = [f for f in (thread.python_stack or ())[start:] if not library_frame(f)]
    named = (frame for frame in frames if not name_of(frame).startswith("<"))
    return next(named, frames[0] if frames else None)


def _finalizer(frame: PythonFrame) -> bool:
    weak = name_of(frame) == "__call__" and frame.filename.endswith("/weakref.py")
    return name_of(frame) == "__del__" or (weak and "finalize" in frame.function)


def _for_long(case: _Case) -> bool:
    """Whether nothing but a timeout-less wait holds it; sleeps and short I/O pass by themselves."""
    waits = case.words.graph.waits_of(case.thread.id)
    if waits:
        return not any(wait.expires for wait in waits)
    call = case.thread.syscall
    timed = (
        call is None or call.sleeps or "timeout" in (call.detail or "").replace("no timeout", "")
    )
    return not timed


def _finding(case: _Case) -> Finding:
    words, thread = case.words, case.thread
    cycle, waits = words.graph.cycle_of(thread.id), words.graph.waits_of(thread.id)
    sure = cycle is not None and cycle.certainty.supports_claim
    runner = "The garbage collector" if case.by_collector else "The interpreter"
    function = function_of(case.below) if case.below else "another function"
    goal, owner = _goal(case)
    known = case.by_collector
    sure = sure or _closes_for_ever(case)
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        # Who ran it matters only where no ring says by itself that it is stuck.
        certainty=as_sure_as(*cycle.edges)
        if cycle and cycle.certainty.supports_claim
        else as_sure_as(Certainty.PROVEN if known else Certainty.INFERRED, *waits),
        title=f"{function_of(case.finalizer)} blocks {case.name}: "
        f"{'the garbage collector' if known else 'the interpreter'} ran it inside {function}",
        sentence=(
            f"{runner} ran the finalizer {function_of(case.finalizer)}{at(case.finalizer)} inside "
            f"{told(case.below) or 'another function'}, which has nothing to do with it: {goal}. "
            f"{owner} {case.name} can never go on by itself{_others(case)}."
        ),
        threads=(ref(thread),),
        resources=tuple(n for n in cycle.nodes if words.resource(n)) if cycle else (),
        evidence=tuple(_evidence(case)),
        unknown=tuple(_unknown(case)),
        advice=tuple(_advice(case)),
    )  # fmt: skip


def _closes_for_ever(case: _Case) -> bool:
    """Whether it stood still for long in a call that only this thread could end."""
    alone = case.by_collector and len(_python_threads(case)) == 1
    closing = _closing(case.thread) is not None
    return alone and closing and stood_s(case.thread, case.words) >= STILL_S


def _goal(case: _Case) -> tuple[str, str]:
    """What it waits for, and who would have to end that."""
    words = case.words
    wait = words.graph.wait_of(case.thread.id)
    holds = words.graph.holders_of(wait.target) if wait else ()
    native = _closing(case.thread)
    if native is not None:
        what, objects = _CLOSING[native]
        return (
            f"it called {native} there, and {what}",
            _closer(case, objects),
        )
    if wait is not None and any(hold.target == case.thread.id for hold in holds):
        return _own_lock(case, wait, holds)
    if wait is not None:
        return f"there it waits {words.goal(wait)}", _holders(case, holds)
    frame = blocking_frame(case.thread)
    inside = native_name(frame) if frame else "a system call"
    if frame is None and case.thread.syscall:
        inside = f"the system call {case.thread.syscall.name}"
    return f"there it waits in {inside}", f"Who is to end that is not known{_no_other(case)}."


def _closer(case: _Case, objects: str) -> str:
    if len(_python_threads(case)) > 1:
        return (
            f"{objects} can only be closed by Python code: by another thread, or by this same "
            "thread, which cannot before the finalizer returns."
        )
    return (
        f"{objects} are for Python code to close, and there is no other Python thread: this same "
        "thread is the one that would have to do it, and it cannot before the finalizer returns."
    )


def _own_lock(case: _Case, wait: Edge, holds: tuple[Edge, ...]) -> tuple[str, str]:
    lock = case.words.name(wait.target)
    where = next((hold.evidence.where for hold in holds if hold.evidence.where), None)
    taken = f" (taken at {where.rpartition('/')[2]})" if where else ""
    return (
        f"there it waits for {lock}, which the same thread already holds{taken}",
        (
            "The function that was interrupted would release it, but it runs on only after the "
            "finalizer returns."
        ),
    )


def _holders(case: _Case, holds: tuple[Edge, ...]) -> str:
    names = [case.words.name(hold.target) for hold in holds]
    return f"That is held by {listed(names)}." if names else "Who is to end that is not known."


def _closing(thread: Thread) -> str | None:
    """The innermost function with known needs above the innermost Python frame."""
    names = [short_name(frame) for frame in natives_until_python(thread)]
    return next((name for name in names if name in _CLOSING), None)


def _no_other(case: _Case) -> str:
    alone = len(_python_threads(case)) <= 1
    return "; there is no other Python thread that could" if alone else ""


def _python_threads(case: _Case) -> list[Thread]:
    process = case.words.capture.process(case.thread.pid)
    return [thread for thread in process.threads if thread.is_python] if process else []


def _others(case: _Case) -> str:
    waiting = [e for e in case.words.graph.held_by(case.thread.id) if _gil(e, case.words)]
    return ", and it keeps the GIL meanwhile" if waiting else ""


def _gil(edge: Edge, words: Words) -> bool:
    node = words.graph.node(edge.source)
    return node is not None and node.kind is NodeKind.GIL and edge.relation is Relation.HELD_BY


def _unknown(case: _Case) -> list[str]:
    lines = []
    if not case.by_collector:
        lines.append(
            "whether the garbage collector ran it, or the end of the last reference: the native "
            "stack does not show it"
        )
    if _closing(case.thread):
        lines.append(
            "whether what is to be closed belongs to the same garbage (as after an exception that "
            "was kept, whose traceback refers to it), or something still refers to it"
        )
    return lines


def _evidence(case: _Case) -> list[str]:
    words, thread = case.words, case.thread
    below = told(case.below) or "the line below"
    lines = [
        (
            f"Python stack: {told(case.finalizer)} lies right above {below}, which does not call "
            "it: C code entered there"
        )
    ]
    if case.by_collector:
        names = [short_name(frame) for frame in thread.native_stack or ()]
        lines.append(f"native stack: {_collector(names)} (the collector) lies below the wait")
    top = [f for f in natives_until_python(thread) if f.function][:40]
    closing = _closing(thread)
    if closing:
        modules = {short_name(frame): module_name(frame) for frame in top}
        lines.append(f"native stack: {closing} ({modules.get(closing, '?')}) is what blocks")
    lines += [words.reading(edge) for edge in words.graph.waits_of(thread.id)]
    cycle = words.graph.cycle_of(thread.id)
    lines += [words.reading(e) for e in (cycle.edges if cycle else ()) if e.source != thread.id]
    rests = next((p.unchanged_s for p in words.capture.progress if p.thread == thread.id), 0.0)
    if rests:
        lines.append(f"it has not run for {rests:.1f} s, over several captures")
    return [*lines, still([thread])]


def _collector(names: list[str]) -> str:
    found = [name for name in names if name.partition(".")[0] in COLLECTORS]
    return found[0] if found else "collect"


def _advice(case: _Case) -> list[str]:
    if _closing(case.thread) and "zmq" in (_closing(case.thread) or ""):
        return [
            (
                "Close every socket (with linger=0) and then the context where they are made: "
                "`with zmq.Context() as context, context.socket(...) as socket:`, or "
                "context.destroy(linger=0) in a finally block. Never leave it to the garbage "
                "collector."
            ),
            (
                "Update pyzmq to 24 or newer: its Context.__del__ no longer terminates the "
                "context of open sockets."
            ),
        ]
    lines = [
        (
            f"Let {function_of(case.finalizer)} take no lock and wait for nothing: have it put the "
            "work into a queue (queue.SimpleQueue.put is safe in finalizers) that a thread "
            "serves, and release the object explicitly (close(), a with block)."
        ),
    ]
    if case.words.graph.cycle_of(case.thread.id):
        lines.append(
            "A reentrant lock (threading.RLock) only helps if the data under it may be seen half "
            "changed: the finalizer runs in the middle of the interrupted function."
        )
    return lines
