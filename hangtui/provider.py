"""The one interface through which screens and commands get captures."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from hangtui.model import Capture


class NativeMode(StrEnum):
    """How native stacks are read."""

    AUTO = "auto"
    """From memory, without stopping the target; threads that run at that moment have none."""
    GDB = "gdb"
    """By attaching gdb: all threads, with source lines, while the target stands still for it."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What to capture."""

    pids: tuple[int, ...] = ()
    """Empty: all Python processes that can be seen."""
    children: bool = False
    """Also the descendants of *pids*."""
    native: NativeMode = NativeMode.AUTO


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
