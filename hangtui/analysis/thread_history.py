"""A sitting's captures, one after the other: how long threads have been where they are, and what
those did that ran.

Nobody can read how long a thread has waited: only for how long captures saw no change.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field

from hangtui.analysis.changes import same_stack
from hangtui.analysis.progress import Look, moment, progress_of, unmoved
from hangtui.analysis.strips import Strip, longer
from hangtui.dataclass import dataclass
from hangtui.model import Capture, Progress, Thread

_LOOKS, _RECENT_S = 5, 10.0
"""So many captures, no older than so many seconds, tell what a thread does now; what it did long
before says little of that."""
_FEW = 500
"""Of more threads than this only those that ran are compared in full: of the others there is
nothing to tell but for how long they have not."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A thread that several captures in a row saw with the same stack."""

    seconds: float
    """From the first of these captures to the last."""
    captures: int
    rest_s: float
    """Seconds that it has not run for at all; 0.0: it ran before the last capture, or nobody
    counted."""
    rests: int
    """How many captures it has not run over; 1: only the last one."""


_NEW = Stay(0.0, 1, 0.0, 1)


@dataclass(frozen=True, slots=True)
class Course:
    """What the captures up to the last one tell of its threads."""

    threads: Mapping[str, Thread]
    """Those of the last capture, by their node ids."""
    looks: tuple[Look, ...] = ()
    """The last few captures, the newest of which this one is."""
    stays: Mapping[str, Stay] = field(default_factory=dict)
    """The threads that are where they were in the capture before."""
    moved: frozenset[str] = frozenset()
    """The threads whose stack was another one in the capture before."""
    started: frozenset[str] = frozenset()
    """The threads that the capture before did not have."""
    progress: tuple[Progress, ...] = ()
    strips: Mapping[str, Strip] = field(default_factory=dict)
    """Over which of the last captures each thread ran; empty after the first capture."""


def follow(capture: Capture, before: Course | None) -> Course:
    """The course up to *capture*; *before*: that up to the capture before it."""
    threads: dict[str, Thread] = {thread.id: thread for thread in capture.threads()}
    try:
        now = moment(capture)
    except ValueError:
        return Course(threads)
    earlier = before.looks if before else ()
    recent = [look for look in earlier if 0 <= now - look[0] <= _RECENT_S]
    looks = (*recent, (now, threads))[-_LOOKS:]
    if before is None or not earlier:
        return Course(threads, looks)
    stays = _stays(before, threads, max(now - earlier[-1][0], 0.0))
    moved = frozenset(_moved(before.threads, threads, stays))
    ran = threads if len(threads) <= _FEW else _ran(threads, looks)
    started = frozenset(threads.keys() - before.threads.keys())
    strips = longer(before.threads, threads, before.strips)
    return Course(threads, looks, stays, moved, started, tuple(progress_of(ran, looks)), strips)


def _stays(before: Course, threads: Mapping[str, Thread], gap_s: float) -> dict[str, Stay]:
    found: dict[str, Stay] = {}
    longer: dict[tuple[int, bool], Stay] = {}  # thousands of threads rest equally long
    for node_id, thread in threads.items():
        earlier = before.threads.get(node_id)
        if earlier is None:
            continue
        rests = unmoved(earlier, thread)
        if rests or same_stack(thread, earlier):
            stay = before.stays.get(node_id, _NEW)
            key = (id(stay), rests)
            if key not in longer:
                longer[key] = _longer(stay, gap_s, rests=rests)
            found[node_id] = longer[key]
    return found


def _longer(stay: Stay, gap_s: float, *, rests: bool) -> Stay:
    rest_s, captures = (stay.rest_s + gap_s, stay.rests + 1) if rests else (0.0, 1)
    return Stay(stay.seconds + gap_s, stay.captures + 1, rest_s, captures)


def _moved(
    earlier: Mapping[str, Thread], threads: Mapping[str, Thread], stays: Mapping[str, Stay]
) -> Iterator[str]:
    for node_id, thread in threads.items():
        if node_id not in stays and (before := earlier.get(node_id)) is not None:
            read = thread.python_stack or thread.native_stack
            was_read = before.python_stack or before.native_stack
            if read and was_read:
                yield node_id


def _ran(threads: Mapping[str, Thread], looks: tuple[Look, ...]) -> list[str]:
    """The threads that ran since the oldest of *looks*."""
    oldest = looks[0][1]
    return [
        node_id
        for node_id, thread in threads.items()
        if thread.runs is not None
        and (before := oldest.get(node_id)) is not None
        and before.runs != thread.runs
    ]
