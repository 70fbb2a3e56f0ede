"""Captures that are already there, for the screens."""

from collections.abc import AsyncIterator, Sequence

from hangtui.model import Capture
from hangtui.provider import CaptureRequest


class FileProvider:
    """Gives the same captures each time: files do not change."""

    live = False

    def __init__(self, captures: Sequence[Capture]) -> None:
        self._captures = captures

    async def take(self, _request: CaptureRequest) -> AsyncIterator[Capture]:
        """The captures, each complete at once."""
        for capture in self._captures:
            yield capture
