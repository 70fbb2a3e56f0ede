"""The one interface through which screens and commands get captures."""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Protocol

from hangtui.dataclass import dataclass
from hangtui.model import Capture, Sighting


class NativeMode(StrEnum):
    """How native stacks are read."""

    AUTO = "auto"
    """From memory, without stopping the target; those of threads that run are sampled."""
    STOP = "stop"
    """Threads that run are stopped for about a millisecond, and their registers and stacks copied;
    the others are read as in ``AUTO``."""
    GDB = "gdb"
    """All threads are stopped for some milliseconds and copied; gdb then reads the copy, with
    source lines and inlined functions, while the target runs."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What to capture."""

    pids: tuple[int, ...] = ()
    """Empty: all Python processes that can be seen."""
    children: bool = False
    """Also the descendants of *pids*."""
    native: NativeMode = NativeMode.AUTO
    follow: bool = False
    """Also the Python processes that those wait for."""


class CaptureProvider(Protocol):
    """Where captures come from: live processes, or files."""

    @property
    def live(self) -> bool:
        """Whether another capture can be taken."""

    def take(self, request: CaptureRequest) -> AsyncIterator[Capture]:
        """Captures that grow: each holds all facts known so far, the last has nothing pending.

        Closing the iterator (``aclose``) ends the taking at once and leaves nothing behind.

        Raises:
            TargetError: nothing at all could be read.
        """


class MachineProvider(Protocol):
    """Where glances at all processes come from."""

    def glances(self) -> AsyncIterator[list[Sighting]]:
        """All Python processes, again every few seconds; ``aclose`` ends it.

        Raises:
            TargetError: they cannot be listed.
        """
