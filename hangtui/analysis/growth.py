"""Which processes used more and more memory over several captures."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hangtui.analysis.progress import moment
from hangtui.model import Capture, Growth

_LEAST_LOOKS = 3
"""Two of them always differ in one direction."""


def growing(captures: Sequence[Capture]) -> Iterator[Growth]:
    """The processes of the last capture that grew from each capture to the next, oldest first."""
    lasted_s = moment(captures[-1]) - moment(captures[0])
    if len(captures) < _LEAST_LOOKS or lasted_s <= 0:
        return
    for process in captures[-1].processes:
        seen = [found.rss_bytes for one in captures if (found := one.process(process.pid))]
        sizes = [size for size in seen if size is not None]
        if len(sizes) == len(captures) and all(a < b for a, b in pairwise(sizes)):
            yield Growth(process.pid, len(sizes), lasted_s, sizes[-1] - sizes[0])
