"""What the flight recorders of a job's ranks have, put in order: whose records were read, and which
operations lack ranks."""

from collections.abc import Mapping, Sequence
from typing import Self

from hangtui.dataclass import dataclass
from hangtui.model import Capture, Collective

ByRank = dict[int, dict[int, Collective]]
"""Operations of one process group, by rank and number."""
_OF_ALL = frozenset({"default_pg", "0", "default"})
"""What the group of all ranks is called."""


@dataclass(frozen=True, slots=True)
class Gap:
    """An operation that some ranks are in, and which others never called."""

    there: tuple[Collective, ...]
    missing: Mapping[int, Collective | None]
    """Who never called it, and the last one of the same group there; None: there is none."""


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a job."""

    ranks: frozenset[int]
    """Whose records were read."""
    _whole: frozenset[int]
    """Those in which nothing is left out."""
    _job: frozenset[int]
    """Ranks that some records say there are."""
    _open: Mapping[int, Collective]

    @classmethod
    def of(cls, capture: Capture) -> Self:
        """Those in *capture*."""
        every = capture.collectives
        whole = [one for one in every if not one.number]
        last = {one.rank: one for one in every if one.number and one.peer is None and not one.done}
        return cls(
            frozenset(one.rank for one in every),
            frozenset(one.rank for one in whole),
            frozenset(rank for one in whole for rank in one.ranks),
            last,
        )

    def members(self, group: str, ranks: Sequence[int]) -> frozenset[int]:
        """Who has a part in a group and a record of all that it called, also if it called nothing
        of that group."""
        if ranks:
            return self._whole & frozenset(ranks)
        return self._whole if group in _OF_ALL else frozenset()

    def known(self, ranks: Sequence[int]) -> frozenset[int]:
        """The ranks of a group, *ranks*, or of the job as far as they are known."""
        return frozenset(ranks) or self._job

    def inside(self, rank: int) -> Collective | None:
        """The last operation that a rank has called and that is not done."""
        return self._open.get(rank)


def is_ring(gaps: Sequence[Gap]) -> bool:
    """Whether all that are missing somewhere wait elsewhere for who is missing there."""
    waiting = {one.rank for gap in gaps for one in gap.there}
    missing = {rank for gap in gaps for rank in gap.missing}
    return len(gaps) > 1 and waiting == missing


def causes_first(gaps: Sequence[Gap]) -> list[Gap]:
    """First where somebody is missing who waits nowhere else."""
    waiting = {one.rank for gap in gaps for one in gap.there}
    return sorted(gaps, key=lambda gap: waiting.issuperset(gap.missing))
