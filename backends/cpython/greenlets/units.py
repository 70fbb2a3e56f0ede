"""What is known of the greenlets of one process."""

from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.greenlets.awaited import Awaited, Hub
from hangtui.backends.cpython.greenlets.objects import RawGreenlet
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.dataclass import dataclass
from hangtui.model import TaskState


@dataclass(frozen=True, slots=True)
class GreenletReading:
    """One greenlet that has not ended."""

    raw: RawGreenlet
    library: str
    hub: int
    """0: none; the program itself switches between the greenlets of this thread."""
    tid: int | None
    state: TaskState
    frames: tuple[Frame, ...]
    """Innermost first; empty: only C code runs in it, or it was not started."""
    waits: tuple[Awaited, ...] = ()
    """Any of them lets it go on."""
    until: float | None = None
    """When a timer wakes it, by ``time.monotonic()``."""

    @property
    def address(self) -> int:
        """Where the greenlet lies."""
        return self.raw.address

    @property
    def place(self) -> str | None:
        """``file:line`` where the application stands, else the innermost one of a package."""
        own = (one.place for one in self.frames if not one.in_library and not one.installed)
        return next(own, place_of(self.frames))


@dataclass(frozen=True, slots=True)
class HubReading:
    """The hub of one thread."""

    hub: Hub
    library: str
    tid: int | None
    current: int
    """The greenlet that its thread runs; the hub itself: nothing but the loop."""
    root: int


@dataclass(frozen=True, slots=True)
class Greenlets:
    """All greenlets that a scheduler switches between."""

    units: dict[int, GreenletReading]
    hubs: list[HubReading]
    holds: list[LockHold]
    names: dict[int, str]
    """Of locks, events, queues by address."""
    truncated: bool
    """There are more than were read."""
    problems: tuple[str, ...] = ()
    """What could not be read, in words."""
    orphaned: frozenset[int] = frozenset()
    """Locks that record an owner which had ended when they were read."""
