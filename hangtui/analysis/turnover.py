"""Which executors started workers over several captures."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.progress import moment
from hangtui.model import Capture, Executor, Turnover


def turnovers(captures: Sequence[Capture]) -> Iterator[Turnover]:
    """The executors of the last of *captures*, oldest first, that were seen before with fewer
    processes started. One that was made anew at the same address has threads of its own."""
    for executor in captures[-1].executors:
        seen = [
            (moment(capture), one.started, set(one.worker_pids))
            for capture in captures
            for one in capture.executors
            if _same(one, executor) and one.started is not None
        ]
        lasted_s = seen[-1][0] - seen[0][0] if seen else 0.0
        started = (seen[-1][1] or 0) - (seen[0][1] or 0) if seen else 0
        if lasted_s > 0 and started > 0:
            first, last = seen[0][2], seen[-1][2]
            replaced = bool(first and last) and first.isdisjoint(last)
            yield Turnover(executor.pid, executor.address, len(seen), lasted_s, started, replaced)


def _same(before: Executor, after: Executor) -> bool:
    """Whether it is the same one: no thread of it is known to be another."""
    if (before.pid, before.address) != (after.pid, after.address):
        return False
    tids = {helper.role: helper.tid for helper in before.helpers}
    return all(
        tids.get(one.role, one.tid) in (one.tid, None) or one.tid is None for one in after.helpers
    )
