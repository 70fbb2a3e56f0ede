"""Whether who sleeps wakes up so often that it looks for something."""

from hangtui.model import Progress

OFTEN_S, _OFTEN = 0.6, 4
"""Who wakes up more often than once in so many seconds, and so many times, to sleep again on the
same lines, polls. On a busy machine one turn may be cut into two."""


def wakes_often(seen: Progress | None) -> bool:
    """Whether a thread woke up again and again, to sleep on the same lines; or to look at something
    there, be it that a look met it awake by chance."""
    if seen is None or not (seen.same_stack or only_looked(seen)) or not seen.wakes:
        return False
    return seen.wakes >= _OFTEN and seen.lasted_s / seen.wakes < OFTEN_S


def only_looked(seen: Progress) -> bool:
    """Whether it was met below the same line in every look, in a loop that only sleeps and looks at
    something."""
    return seen.looked and seen.same_line
