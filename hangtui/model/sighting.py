"""What is seen of a process at a glance, without looking into it."""

from hangtui.dataclass import dataclass
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class Sighting:
    """One Python process at one moment, as the kernel lists it."""

    pid: Pid
    started: int
    """When, in the kernel's ticks since the machine was: tells it from another one of that PID."""
    title: str
    """A short name; see ``Process.title``."""
    cmdline: str
    """Secrets in it are masked."""
    user: str | None
    container: str | None
    age_s: float
    state: str
    """The kernel's letter for the main thread."""
    threads: int
    processor_s: float
    """Processor time that all of its threads have used, in seconds."""
