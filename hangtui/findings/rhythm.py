"""Whether who sleeps wakes up so often that it looks for something."""

from hangtui.model import Progress

OFTEN_S, _OFTEN = 0.6, 4
"""Who wakes up more often than once in so many seconds, and so many times, to sleep again on the
same lines, polls. On a busy machine one turn may be cut into two."""


def wakes_often(seen: Progress | None) -> bool:
    """Whether a thread woke up again and again, to sleep on the same lines."""
    if seen is None or not seen.same_stack or not seen.wakes:
        return False
    return seen.wakes >= _OFTEN and seen.lasted_s / seen.wakes < OFTEN_S
