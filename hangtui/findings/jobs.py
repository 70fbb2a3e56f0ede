"""The ranks of distributed jobs: which processes belong together, and whose calls they are in."""

from collections.abc import Iterator

from hangtui.findings.collectives import LIBRARIES
from hangtui.findings.roles import places_of, ranks_among
from hangtui.findings.stack_queries import own_frame
from hangtui.model import Capture, Process, PythonFrame, Thread


def jobs(capture: Capture) -> Iterator[list[Process]]:
    """The ranks of each job. On several machines these have several parents: then it is one job if
    all say the same size, and no two the same rank."""
    places, known = places_of(capture), ranks_among(capture)
    python = (process for process in capture.processes if process.python is not None)
    members = [process for process in python if known.get(process.pid, True)]
    by_size: dict[int, list[Process]] = {}
    for process in members:
        place = places.get(process.pid)
        if place is not None and place.size is not None:
            by_size.setdefault(place.size, []).append(process)
    whole = [
        ranks
        for ranks in by_size.values()
        if len({places[p.pid].rank for p in ranks}) == len(ranks)
    ]
    yield from whole
    told = {process.pid for ranks in whole for process in ranks}
    by_parent: dict[int, list[Process]] = {}
    for process in members:
        if process.pid not in told:
            by_parent.setdefault(process.ppid, []).append(process)
    yield from by_parent.values()


def is_whole(ranks: list[Process], capture: Capture) -> bool:
    """Whether *ranks* are all of their job."""
    places = places_of(capture)
    return all(
        (place := places.get(rank.pid)) is not None and place.size == len(ranks) for rank in ranks
    )


def caller(thread: Thread) -> PythonFrame | None:
    """The program's own frame that called the collective operation."""
    stack = thread.python_stack or ()
    inside = (i for i, f in enumerate(stack) if any(part in f.filename for part in LIBRARIES))
    return own_frame(thread, max(inside, default=-1) + 1)
