"""Which executors started workers over several captures."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.progress import moment
from hangtui.model import Capture, Turnover


def turnovers(captures: Sequence[Capture]) -> Iterator[Turnover]:
    """The executors of the last of *captures*, oldest first, that were seen before with fewer
    processes started."""
    for executor in captures[-1].executors:
        seen = [
            (moment(capture), one.started)
            for capture in captures
            for one in capture.executors
            if (one.pid, one.address) == (executor.pid, executor.address)
            and one.started is not None
        ]
        lasted_s = seen[-1][0] - seen[0][0] if seen else 0.0
        started = (seen[-1][1] or 0) - (seen[0][1] or 0) if seen else 0
        if lasted_s > 0 and started > 0:
            yield Turnover(executor.pid, executor.address, len(seen), lasted_s, started)
