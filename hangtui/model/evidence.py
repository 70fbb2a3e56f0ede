"""Where a fact came from and how far it can be trusted."""

from collections.abc import Iterable
from enum import StrEnum

from hangtui.dataclass import dataclass


class Source(StrEnum):
    """What a fact was read from."""

    PROCFS = "procfs"
    PYSPY = "py-spy"
    CPYTHON = "cpython"
    FUTEX = "futex"
    UNWIND = "unwind"
    PERF = "perf"
    """Samples that the kernel takes of threads while they run."""
    GUARD = "guard"
    """Registers and stacks, copied in a stop of milliseconds."""
    GDB = "gdb"
    NVML = "nvml"
    """The library of NVIDIA's driver."""
    CORE = "core"
    FAULTHANDLER = "faulthandler"


class Certainty(StrEnum):
    """How a fact is known, strongest first."""

    CERTAIN = "certain"
    """A runtime or the kernel records it: a mutex's owner word, the GIL's holder."""
    PROVEN = "proven"
    """It follows from the frame's own bytecode state: the thread is inside ``with lock:``."""
    INFERRED = "inferred"
    """A heuristic that can be wrong."""
    UNKNOWN = "unknown"

    # Enum's own is Python code, and every edge's rank is looked up.
    __hash__ = str.__hash__

    @property
    def rank(self) -> int:
        """0 for the strongest."""
        return _RANKS[self]

    @property
    def supports_claim(self) -> bool:
        """Whether a deadlock may be claimed on it."""
        return self in (Certainty.CERTAIN, Certainty.PROVEN)


_RANKS = {certainty: rank for rank, certainty in enumerate(Certainty)}


def weakest(certainties: Iterable[Certainty]) -> Certainty:
    """What follows from several facts is as sure as the least sure of them; UNKNOWN from none."""
    return max(certainties, key=_RANKS.__getitem__, default=Certainty.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reading behind a wait or a hold."""

    source: Source
    certainty: Certainty
    text: str
    """What was read, in words."""
    where: str | None = None
    """``file:line`` in the program: where it waits, or where it took the resource."""
