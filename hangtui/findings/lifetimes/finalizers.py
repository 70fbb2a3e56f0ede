"""Threads that are inside of a finalizer, and whether they are for long."""

from hangtui.analysis.frame_classifier import short_name
from hangtui.analysis.places import (
    function_of,
    library_frame,
    natives_until_python,
)
from hangtui.analysis.wakers import coming
from hangtui.dataclass import dataclass
from hangtui.findings.beyond_doubt import nobody_will, waking_but_ending
from hangtui.findings.enders import called
from hangtui.findings.exits import is_ending
from hangtui.findings.left_in_parent import left_in_parent
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.stack_queries import (
    at,
    collecting,
    kind_of,
    name_of,
    own_frame,
    stood_s,
    way_of,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, PythonFrame, Thread

CLOSING = {
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

_OF_PYTHON = PYTHON_LOCKS | {
    NodeKind.CONDITION, NodeKind.EVENT, NodeKind.QUEUE, NodeKind.FUTURE, NodeKind.BARRIER,
}  # fmt: skip
"""What is released, set or put by code in Python."""
_BEGUN_BY_PYTHON = frozenset({"pythread_wrapper", "thread_run"})
"""Functions of the interpreter below everything that one of its threads does."""


@dataclass(frozen=True, slots=True)
class FinalizerCase:
    """A thread inside of a finalizer."""

    thread: Thread
    finalizer: PythonFrame
    """The function that it runs: ``__del__``, or what weakref.finalize was given."""
    below: PythonFrame | None
    """The line that the finalizer interrupted."""
    by_collector: bool
    words: Words

    @property
    def name(self) -> str:
        """Of the thread."""
        return self.words.thread_name(self.thread)

    @property
    def at_end(self) -> bool:
        """Whether all functions of its thread have returned: what is left to it is to drop its
        thread-local values, before which nobody is told that it has ended."""
        stack = self.thread.python_stack or ()
        return self.thread.tid != self.thread.pid and _finalizer(stack[-1])

    @property
    def at_exit(self) -> bool:
        """Whether the interpreter is at its end, and destroys what is left: no other thread may
        run Python any more."""
        return self.below is None and is_ending(self.thread)

    @property
    def stopped(self) -> list[Thread]:
        """Threads that Python began, and that it does not count among its own any more."""
        threads = self.process.threads if self.process else ()
        return [
            one
            for one in threads
            if not one.is_python
            and any(short_name(frame) in _BEGUN_BY_PYTHON for frame in one.native_stack or ())
        ]

    @property
    def inside(self) -> str:
        """Where it ran."""
        if self.at_exit:
            return "as it ended"
        if self.at_end:
            return "at the end of the thread"
        return f"inside {function_of(self.below) if self.below else 'another function'}"

    @property
    def process(self) -> Process | None:
        """In which it ran."""
        return self.words.capture.process(self.thread.pid)

    @property
    def python_threads(self) -> list[Thread]:
        """Those of the same process."""
        return [one for one in self.process.threads if one.is_python] if self.process else []


def case_of(thread: Thread, words: Words) -> FinalizerCase | None:
    """The finalizer that *thread* is inside of, if it is in one."""
    stack = thread.python_stack or ()
    for index, frame in enumerate(stack):
        # It was called by C code, not by the line below it.
        if frame.entry is not False and _finalizer(frame):
            below = _function_below(thread, index + 1)
            code = stack[index - 1] if _is_weak(frame) and index else frame
            return FinalizerCase(thread, code, below, collecting(thread), words)
    return None


def _function_below(thread: Thread, start: int) -> PythonFrame | None:
    """The innermost frame with a name of its own: a comprehension has none."""
    frames = [f for f in (thread.python_stack or ())[start:] if not library_frame(f)]
    named = (frame for frame in frames if not name_of(frame).startswith("<"))
    return next(named, frames[0] if frames else None)


def _finalizer(frame: PythonFrame) -> bool:
    return name_of(frame) == "__del__" or _is_weak(frame)


def _is_weak(frame: PythonFrame) -> bool:
    """Whether it is weakref.finalize, which calls what it was given."""
    called = name_of(frame) == "__call__" and "finalize" in frame.function
    return called and frame.filename.endswith("/weakref.py")


def for_long(case: FinalizerCase) -> bool:
    """Whether nothing but a timeout-less wait holds it; sleeps and short I/O pass by themselves."""
    waits = case.words.graph.waits_of(case.thread.id)
    if waits:
        return not any(wait.expires for wait in waits)
    call = case.thread.syscall
    return call is not None and not call.sleeps and not call.timed


def never_released(case: FinalizerCase) -> bool:
    """Whether it waits, at the interpreter's end, for what only another thread could give it that
    ran Python; several looks saw it stand still, and no signal's handler may raise an exception."""
    wait, process = case.words.graph.wait_of(case.thread.id), case.process
    return (
        case.at_exit
        and process is not None
        and wait is not None
        and not wait.expires
        and not wait.target.shared
        and kind_of(wait, case.words) in _OF_PYTHON
        and nobody_will(process, [case.thread], case.words, waking_but_ending(process))
    )


def closing_call(thread: Thread) -> str | None:
    """The innermost function with known needs above the innermost Python frame."""
    names = [short_name(frame) for frame in natives_until_python(thread)]
    return next((name for name in names if name in CLOSING), None)


def closes_for_ever(case: FinalizerCase) -> bool:
    """Whether it stood still for long in a call that only this thread could end."""
    alone = case.by_collector and len(case.python_threads) == 1
    closing = closing_call(case.thread) is not None
    return alone and closing and stood_s(case.thread, case.words) >= STILL_S


def lost_in_fork(case: FinalizerCase) -> bool:
    """Whether who was to end its wait is in the process from which its own was forked, and several
    looks saw that nothing else here does."""
    words, thread = case.words, case.thread
    process, wait = words.capture.process(thread.pid), words.graph.wait_of(thread.id)
    if process is None or wait is None or wait.expires or len(process.threads) > 1:
        return False
    never = nobody_will(process, [thread], words, waking_but_ending(process))
    return never and left_in_parent(thread, words) is not None


def only_afterwards(case: FinalizerCase) -> str:
    """``Only receiver itself is seen to come to self.ready.set() (app.py:36), which would end that,
    and only after the finalizer returns.``; empty: another comes to it, or nobody does."""
    graph = case.words.graph
    wait = graph.wait_of(case.thread.id)
    if wait is None or coming(graph, wait.target, way_of(wait, case.words)):
        return ""
    own = graph.afterwards_of(case.thread.id, wait.target)
    if own is None:
        return ""
    return (
        f"Only {case.name} itself is seen to come to {called(own)}, which would end that, and only "
        "after the finalizer returns."
    )


def own_line(case: FinalizerCase) -> str:
    """`` at pool.py:16 (Pool.free)``, where it waits in a function of the program that the
    finalizer has called."""
    frame = own_frame(case.thread)
    return "" if frame is case.finalizer else at(frame)
