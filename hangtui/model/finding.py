"""One diagnosis."""

from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Certainty
from hangtui.model.node import NodeId


class Severity(StrEnum):
    """How bad a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


class Reason(StrEnum):
    """Which rule of evidence a finding rests on (docs/safety.md has a section for each)."""

    RING = "ring"
    """A ring of waits that nobody in it can leave."""
    ENDED = "ended"
    """Somebody who would have to act was seen to have ended."""
    CRASH = "crash"
    """The kernel says which signal ended the program."""
    NOBODY = "nobody"
    """All who could act are known, and none of them can."""
    ONE_WAIT = "one-wait"
    """One wait that lasts."""
    COUNTED = "counted"
    """A count was read twice."""
    REASSURANCE = "reassurance"
    """Something positive was seen of each thread that is spoken of."""


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """A thread that a finding speaks of."""

    pid: int
    tid: int
    name: str


@dataclass(frozen=True, slots=True)
class Where:
    """The application's own frame, and the package that it called there."""

    function: str
    filename: str
    line: int | None
    package: str | None = None
    """The distribution in which it waits or runs; as it is imported where that is all that is
    known."""
    version: str | None = None


_UNDECIDED = frozenset({"busy-loop", "native-spin"})
"""Findings about what computes, and may never end."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnosis: what happened, why we say so, what is unknown, what to try."""

    id: str
    """Stable across versions: ``deadlock``, ``self-deadlock``, ..."""
    severity: Severity
    certainty: Certainty
    title: str
    sentence: str
    threads: tuple[ThreadRef, ...]
    resources: tuple[NodeId, ...] = ()
    evidence: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    victims: tuple[ThreadRef, ...] = ()
    """Threads that only wait behind what the finding says: they go on once it is mended."""
    tasks: tuple[NodeId, ...] = ()
    """The tasks of asyncio that it speaks of; their event loops' threads are among *threads*."""
    processes: tuple[int, ...] = ()
    """PIDs of the processes that it speaks of: at least those of its threads and tasks."""
    subject: NodeId | None = None
    """What it is about before all else: a thread, a task, a resource or a process. None: no node,
    as where a rule failed."""
    reason: Reason | None = None
    """What it rests on; None: it says nothing of the program."""
    where: Where | None = None
    """Where the application stands; None: no frame of its own is known."""
    never_ends: bool = False
    """It is an error although a part of it is only inferred: whichever way that part is read,
    nobody is left who could end it."""
    owed: bool = False
    """Somebody that it tells of has something to do, and does not rest there until it is
    stopped."""
    tells_victims: bool = False
    """Its sentence says already who else waits behind it."""
    tells_process: bool = False
    """The same of those in the processes of its threads; of others it does not."""

    @property
    def key(self) -> tuple[str, NodeId | None, tuple[NodeId, ...]]:
        """What tells it from others of a capture, and is the same in the next capture."""
        return self.id, self.subject, self.resources

    @property
    def is_well(self) -> bool:
        """Whether "nothing is wrong" may follow from it: it says of threads that they get on or
        rest, or it counts something, and nobody waits behind it."""
        counted = self.reason is Reason.COUNTED and self.id not in _UNDECIDED
        calm = self.reason is Reason.REASSURANCE or counted
        return calm and self.severity is Severity.NOTE and not self.victims
