"""Which take is running, and what becomes of the captures that arrive."""

import time
from collections.abc import Callable
from dataclasses import replace

from hangtui.model import Capture
from hangtui.provider import CaptureProvider, CaptureRequest, NativeMode
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import Status
from hangtui.tui.taking import CaptureArrived, TakeEnded

INTERVALS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds between captures while they are taken automatically."""


class TakeControl:
    """Numbers the takes, so that what a superseded one still sends can be told and dropped."""

    def __init__(
        self,
        provider: CaptureProvider,
        request: CaptureRequest,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.provider = provider
        self.request = request
        self.number = 0
        self.taking = True  # the first take begins as soon as the screen is painted
        self.auto = False
        self.interval_s = 2.0
        self._clock = clock
        self._started = 0.0
        self._grows = False
        self._held: Capture | None = None
        self._status = Status(live=provider.live)

    @property
    def status(self) -> Status:
        """What the lines around the screens say of it."""
        return replace(
            self._status,
            taking=self.taking,
            taking_s=self._clock() - self._started if self.taking and self._started else 0.0,
            auto=self.auto,
            interval_s=self.interval_s,
        )

    def start(self, native: NativeMode | None = None) -> CaptureRequest:
        """Begin another take; the one before it is superseded."""
        request = self.request if native is None else replace(self.request, native=native)
        self.number += 1
        self.taking, self._grows, self._held = True, False, None
        self._started = self._clock()
        self._status = replace(self._status, pending=(), failure=None)
        return request

    def widen(self) -> None:
        """From the next take on the children of the processes belong to the capture as well."""
        self.request = replace(self.request, children=True)

    def change_interval(self, step: int) -> None:
        """Wait longer or less long between captures."""
        index = INTERVALS.index(self.interval_s) + step
        self.interval_s = INTERVALS[min(max(index, 0), len(INTERVALS) - 1)]

    def cancelled(self) -> None:
        """Nobody waits for the running take any more."""
        self.number += 1
        self.taking, self.auto, self._held = False, False, None
        self._status = replace(self._status, pending=())

    def arrived(self, session: Session, message: CaptureArrived) -> Session:
        """*session* with the capture, unless it is a late one or poorer than what is shown."""
        if message.number != self.number:
            return session
        capture = message.capture
        self._status = replace(self._status, pending=capture.pending)
        if capture.pending and not self._grows and session.views:
            # The screen shows a whole capture: half a new one would take stacks away from it.
            self._held = capture
            return session
        return self._apply(session, capture)

    def ended(self, session: Session, message: TakeEnded) -> Session:
        """*session* after the end of a take, with what there is of a capture it did not finish."""
        if message.number != self.number:
            return session
        self.taking = False
        self._status = replace(self._status, pending=(), failure=message.failure)
        held, self._held = self._held, None
        return session if held is None else self._apply(session, held)

    def _apply(self, session: Session, capture: Capture) -> Session:
        self._held = None
        earlier = session.views[:-1] if self._grows else session.views
        view = CaptureView.of(capture, earlier[-1] if earlier else None)
        result = session.arrived(view, grows=self._grows)
        # What comes after a whole capture is another one, from the next file.
        self._grows = bool(capture.pending)
        return result
