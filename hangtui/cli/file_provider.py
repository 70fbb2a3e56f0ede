"""A capture that is already there, for the screens."""

from collections.abc import AsyncIterator

from hangtui.model import Capture
from hangtui.provider import CaptureRequest


class FileProvider:
    """Gives the same capture each time: a file does not change."""

    live = False

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    async def take(self, _request: CaptureRequest) -> AsyncIterator[Capture]:
        """The capture, complete at once."""
        yield self._capture
