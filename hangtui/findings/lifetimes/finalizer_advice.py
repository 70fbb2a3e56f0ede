"""What to do about a finalizer that waits."""

from hangtui.analysis.places import function_of
from hangtui.findings.exits import closing_advice
from hangtui.findings.left_in_parent import LeftInParent, left_in_parent
from hangtui.findings.lifetimes.finalizers import FinalizerCase, closing_call
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.stack_queries import kind_of
from hangtui.model import NodeKind

BROUGHT = {NodeKind.QUEUE, NodeKind.EVENT, NodeKind.FUTURE, NodeKind.THREAD}
"""What somebody else is to bring."""
_ASKED = PYTHON_LOCKS | BROUGHT


def left_behind(case: FinalizerCase) -> LeftInParent | None:
    """What a fork left in the parent that it waits for, if nobody here has that."""
    return left_in_parent(case.thread, case.words) if not _held(case) else None


def _held(case: FinalizerCase) -> bool:
    wait = case.words.graph.wait_of(case.thread.id)
    return wait is None or bool(case.words.graph.holders_of(wait.target))


def _takes_itself(case: FinalizerCase) -> bool:
    """Whether it waits for an object of Python's, which code in Python asks for and could leave
    out: a lock within the interpreter or in C nobody can."""
    wait = case.words.graph.wait_of(case.thread.id)
    return wait is not None and kind_of(wait, case.words) in _ASKED


def advice(case: FinalizerCase) -> list[str]:
    """What to do about one, as sentences."""
    if closing_call(case.thread) and "zmq" in (closing_call(case.thread) or ""):
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
    left = left_behind(case)
    if left is not None:
        return [
            (
                'Start such processes with "spawn" or "forkserver" instead of fork '
                "(multiprocessing.set_start_method, DataLoader(multiprocessing_context=...)), or "
                f"use {left.package} only after the fork: its threads are not copied."
            )
        ]
    if case.at_exit:
        return [closing_advice(case.thread, lock=_takes_itself(case))]
    if not _takes_itself(case):
        return [
            (
                f"Release what {function_of(case.finalizer)} releases explicitly (close(), a with "
                "block), so that the object is not cleaned up at whatever line happens to run."
            )
        ]
    lines = [
        (
            f"Let {function_of(case.finalizer)} take no lock and wait for nothing: have it put the "
            "work into a queue (queue.SimpleQueue.put is safe in finalizers) that a thread "
            "serves, and release the object explicitly (close(), a with block)."
        ),
    ]
    wait = case.words.graph.wait_of(case.thread.id)
    takes = wait is not None and kind_of(wait, case.words) in PYTHON_LOCKS
    if takes and case.words.graph.cycle_of(case.thread.id) and not case.at_end:
        lines.append(
            "A reentrant lock (threading.RLock) only helps if the data under it may be seen "
            "half-changed: the finalizer runs in the middle of the interrupted function."
        )
    return lines
