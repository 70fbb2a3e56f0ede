"""Taking a capture in the background, so that neither the screen nor the exit waits for it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from textual.message import Message

from hangtui.model import Capture, HangtuiError
from hangtui.provider import CaptureProvider, CaptureRequest

CLOSING_S = 2.0
"""How long a provider may take to let its target go before nobody waits for it any more."""


class CaptureArrived(Message):
    """A capture of take *number*; it may still grow."""

    def __init__(self, number: int, capture: Capture) -> None:
        super().__init__()
        self.number = number
        self.capture = capture

    def can_replace(self, message: Message) -> bool:
        """Of the stages of a capture that queue up, only the newest is worth showing."""
        return (
            isinstance(message, CaptureArrived)
            and message.number == self.number
            and not self.capture.complete
        )


class TakeEnded(Message):
    """Take *number* is over."""

    def __init__(self, number: int, failure: HangtuiError | None) -> None:
        super().__init__()
        self.number = number
        self.failure = failure


async def take(
    provider: CaptureProvider,
    request: CaptureRequest,
    number: int,
    post: Callable[[Message], object],
) -> None:
    """Post every capture that *provider* yields, and then how it ended."""
    failure: HangtuiError | None = None
    try:
        stream = provider.take(request)
        try:
            async for capture in stream:
                post(CaptureArrived(number, capture))
        finally:
            await close(stream)
    except HangtuiError as error:
        failure = error
    except Exception as error:  # noqa: BLE001  a provider's mistake must not take the screens down
        failure = HangtuiError(f"the capture failed: {type(error).__name__}: {error}")
    post(TakeEnded(number, failure))


async def close(stream: AsyncIterator[object]) -> None:
    """Close *stream*, but do not wait for one that does not want to be closed."""
    aclose = getattr(stream, "aclose", None)
    if aclose is None:
        return
    closing = asyncio.ensure_future(aclose())
    # Not `wait_for`: that waits until what it cancelled has ended.
    done, _ = await asyncio.wait({closing}, timeout=CLOSING_S)
    for task in done:
        with suppress(Exception, asyncio.CancelledError):
            task.result()
    if not done:
        closing.cancel()
