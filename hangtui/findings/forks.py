"""Threads that forked, and those that run in a copy of their parent."""

from hangtui.findings.stack_queries import index_of
from hangtui.findings.words import Words
from hangtui.model import EventLoop, NativeFrame, Thread

_HOOKS = ("PyOS_BeforeFork", "PyOS_AfterFork")
_FORK, _CHILD = "multiprocessing/popen_fork.py", "multiprocessing/process.py"

HOOKS_ADVICE = (
    "Give os.register_at_fork the functions that take and release a lock once for each lock, where "
    "the module is loaded: what it is given in a method, or by a module that is loaded again, runs "
    "once more before every fork."
)


def forked_at(thread: Thread) -> int | None:
    """The frame that forked the process, of a child of multiprocessing: it and those below it are
    copies of its parent's."""
    forked = index_of(thread, {"_launch"}, _FORK)
    child = index_of(thread, {"_bootstrap"}, _CHILD)
    return forked if forked is not None and child == forked - 1 else None


def in_fork(thread: Thread) -> bool:
    """Whether it is inside of os.fork(), before the fork or just behind it: what was given to
    os.register_at_fork runs there."""
    natives = thread.native_stack or ()
    return index_of(thread, {"_launch"}, _FORK) == 0 or any(map(_runs_hooks, natives))


def _runs_hooks(frame: NativeFrame) -> bool:
    return (frame.function or "").startswith(_HOOKS)


def told_in_fork(thread: Thread) -> str:
    """That a function which runs around a fork takes a lock, where nobody is known to have it;
    empty: it does not."""
    if not in_fork(thread):
        return ""
    return (
        "It is inside of os.fork(), where the functions run that os.register_at_fork was given: "
        "one of them takes it, and another one, or the same if it was given twice, may have done "
        "so before"
    )


def loop_left_behind(thread: Thread, loop: EventLoop, words: Words) -> bool:
    """Whether its process was forked inside of a task: the event loop, whose frames are still on
    its stack, is its parent's, and runs on there alone."""
    forked = forked_at(thread)
    runs = index_of(thread, {"run_forever"}, "asyncio/base_events.py")
    if forked is not None and runs is not None and forked < runs:
        return True
    process = words.capture.process(thread.pid)
    parent = process.around.forked_from if process and process.around else None
    return any(
        (one.pid, one.address) == (parent, loop.address) and one.tid is not None
        for one in words.capture.event_loops
    )
