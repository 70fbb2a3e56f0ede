"""The ranks of jobs by what they do: one class for those whose threads are in the same places."""

from collections.abc import Iterator, Mapping

from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Diagnosis
from hangtui.findings.jobs import jobs
from hangtui.findings.roles import places_of, ranks_among, ranks_told
from hangtui.model import Process

_ALIKE = 3
"""So many ranks that are alike are told as one."""
_OF_THEIR_OWN = frozenset({ThreadState.CRASH, ThreadState.DEADLOCK, ThreadState.STOPPED})
"""States that tell two ranks apart although they are in the same places; others come and go."""


@dataclass(frozen=True, slots=True)
class RankClass:
    """Ranks whose threads have the same Python stacks, however many threads have each."""

    processes: tuple[Process, ...]
    """By rank."""
    name: str
    """``rank 3``, ``ranks 0-2, 4-511``."""

    @property
    def is_one(self) -> bool:
        """Whether they are told as one."""
        return len(self.processes) >= _ALIKE

    @property
    def pids(self) -> frozenset[int]:
        """Of its processes."""
        return frozenset(process.pid for process in self.processes)


def rank_classes(diagnosis: Diagnosis) -> tuple[RankClass, ...]:
    """The classes of the ranks of each job, the fewest ranks first; empty: there are no ranks."""
    capture = diagnosis.capture
    places, known = places_of(capture), ranks_among(capture)
    found = []
    for job in jobs(capture):
        alike: dict[object, list[Process]] = {}
        for process in job:
            if known.get(process.pid):
                alike.setdefault(_seen(process, diagnosis.states), []).append(process)
        for members in alike.values():
            members.sort(key=lambda one: places[one.pid].rank)
            name = ranks_told(places[one.pid].rank for one in members)
            found.append(RankClass(tuple(members), name))
    return tuple(sorted(found, key=lambda one: len(one.processes)))


def told_once(diagnosis: Diagnosis) -> Iterator[tuple[Process, RankClass | None]]:
    """The processes; of ranks that do the same the first alone, and who it stands for. Those that
    the fewest are like come first."""
    classes = rank_classes(diagnosis)
    ranks = {process.pid for one in classes for process in one.processes}
    for one in classes:
        if one.is_one:
            yield one.processes[0], one
        else:
            yield from ((process, None) for process in one.processes)
    yield from ((one, None) for one in diagnosis.capture.processes if one.pid not in ranks)


def _seen(process: Process, states: Mapping[str, ThreadState]) -> object:
    """The same for those that are in the same places."""
    stacks = set[object]()
    for thread in process.threads:
        if thread.python_stack:
            state = states.get(thread.id)
            places = tuple((f.filename, f.line, f.function) for f in thread.python_stack)
            stacks.add((places, state if state in _OF_THEIR_OWN else None))
    return process.title, frozenset(stacks) or process.state
