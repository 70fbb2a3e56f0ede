"""What threads look at in a loop whose sleep an earlier one of several captures met."""

from collections.abc import Iterator, Sequence

from hangtui.model import Capture, Polled, PythonFrame


def polled_before(captures: Sequence[Capture]) -> Iterator[Polled]:
    """What threads look at that the last of *captures* met between two sleeps, in the function in
    which an earlier one saw them sleep."""
    *earlier, last = captures
    known = {one.waiter for one in last.polled}
    threads = {thread.id: thread for thread in last.threads()}
    for capture in reversed(earlier):
        before = {thread.id: thread for thread in capture.threads()}
        for one in capture.polled:
            then, now = before.get(one.waiter), threads.get(one.waiter)
            if one.waiter in known or then is None or now is None:
                continue
            if _in_one_call(then.python_stack or (), now.python_stack or ()):
                known.add(one.waiter)
                yield one


def _in_one_call(then: tuple[PythonFrame, ...], now: tuple[PythonFrame, ...]) -> bool:
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
