"""What threads and tasks look at in a loop whose sleep an earlier one of several captures met."""

from collections.abc import Iterator, Sequence

from hangtui.model import Capture, NodeId, Polled, PythonFrame


def polled_before(captures: Sequence[Capture]) -> Iterator[Polled]:
    """What those look at that the last of *captures* met between two sleeps, in the function in
    which an earlier one saw them sleep."""
    *earlier, last = captures
    known = {one.waiter for one in last.polled}
    if all(one.waiter in known for capture in earlier for one in capture.polled):
        return
    now = stacks_of(last)
    for capture in reversed(earlier):
        then = stacks_of(capture)
        for one in capture.polled:
            stacks = then.get(one.waiter, ()), now.get(one.waiter, ())
            if one.waiter not in known and all(stacks) and in_one_call(*stacks):
                known.add(one.waiter)
                yield one


def spun_before(captures: Sequence[Capture]) -> Iterator[Polled]:
    """The same of those that look again and again without a sleep, and of which the last of
    *captures* met none in its loop: whether they are in it still is to be judged."""
    *earlier, last = captures
    known = {one.waiter for one in last.spinning}
    for capture in reversed(earlier):
        for one in capture.spinning:
            if one.waiter not in known:
                known.add(one.waiter)
                yield one


def stacks_of(capture: Capture) -> dict[NodeId, tuple[PythonFrame, ...]]:
    """The Python frames of every thread and task, innermost first."""
    found = {thread.id: thread.python_stack or () for thread in capture.threads()}
    return found | {task.id: task.python_stack or () for task in capture.tasks}


def in_one_call(then: tuple[PythonFrame, ...], now: tuple[PythonFrame, ...]) -> bool:
    """Whether two stacks are the same but for the lines of one function, and what that called."""
    outer = 0
    for before, after in zip(reversed(then), reversed(now), strict=False):
        if before != after:
            break
        outer += 1
    if outer == min(len(then), len(now)):
        return 0 < outer < len(now) or then == now
    before, after = then[-outer - 1], now[-outer - 1]
    return (before.function, before.filename) == (after.function, after.filename)
