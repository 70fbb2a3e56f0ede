"""The ranks of jobs by what they do: one class for those whose threads are in the same places."""

from collections.abc import Mapping

from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Diagnosis
from hangtui.findings.roles import places_of, ranks_among, ranks_told
from hangtui.model import Process

ALIKE = 3
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
    def pids(self) -> frozenset[int]:
        """Of its processes."""
        return frozenset(process.pid for process in self.processes)


def rank_classes(diagnosis: Diagnosis) -> tuple[RankClass, ...]:
    """The classes of all ranks in the capture, the fewest ranks first; empty: there are none."""
    capture = diagnosis.capture
    places, known = places_of(capture), ranks_among(capture)
    alike: dict[object, list[tuple[int, Process]]] = {}
    for process in capture.processes:
        if known.get(process.pid):
            members = alike.setdefault(_seen(process, diagnosis.states), [])
            members.append((places[process.pid].rank, process))
    found = []
    for ranked in alike.values():
        ranked.sort(key=lambda one: one[0])
        name = ranks_told({rank for rank, _ in ranked})
        found.append(RankClass(tuple(process for _, process in ranked), name))
    return tuple(sorted(found, key=lambda one: len(one.processes)))


def _seen(process: Process, states: Mapping[str, ThreadState]) -> object:
    """The same for those that are in the same places."""
    stacks = set[object]()
    for thread in process.threads:
        if thread.python_stack:
            state = states.get(thread.id)
            places = tuple((f.filename, f.line, f.function) for f in thread.python_stack)
            stacks.add((places, state if state in _OF_THEIR_OWN else None))
    return process.title, frozenset(stacks) or process.state
