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


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """A thread that a finding speaks of."""

    pid: int
    tid: int
    name: str


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
