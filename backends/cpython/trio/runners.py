"""Runners of trio: what `trio.run` keeps its tasks in, and which thread it is in."""

import math
from collections.abc import Iterator, Mapping

from hangtui.backends.cpython.aio.loops import Loop
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.places import runs, within
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass
from hangtui.model import LoopState

LIBRARY = "trio"
_RUN = "_core/_run.py"
_WAITS = "get_events"
_MOCK = "trio's MockClock"
_WORKERS = "_core/_thread_cache.py"


@dataclass(frozen=True, slots=True)
class Runner:
    """One of them."""

    address: int
    tid: int
    state: LoopState
    clock: float | None
    """What its clock is ahead of ``time.monotonic``, in seconds; None: it is another kind."""


class Runners:
    """Finds the runners of one process by the frames of `trio.run`."""

    def __init__(self, fields: Fields, stacks: Mapping[int, tuple[Frame, ...]]) -> None:
        self._fields = fields
        self._stacks = stacks

    def all(self) -> Iterator[Runner]:
        """Each once. One in guest mode is on the stack of the thread that waits for its events; one
        that has something to run meanwhile is on none."""
        seen: set[int] = set()
        for tid, frames in self._stacks.items():
            for frame in frames:
                if runs(frame, _RUN, _WAITS):
                    yield from self._guest(frame)
                if not runs(frame, _RUN, "run", "unrolled_run"):
                    continue
                address = self._fields.frames.variables(frame).get("runner", 0)
                if address not in seen and self._fields.is_a(address, "Runner"):
                    seen.add(address)
                    yield Runner(address, tid, self._state(frames), self._ahead(address))

    def _guest(self, frame: Frame) -> Iterator[Runner]:
        """The runner for which *frame*, in another thread, waits for events."""
        guest = self._fields.frames.variables(frame).get("self", 0)
        address, host = self._fields.of(guest, "runner"), self._host(guest)
        if host is not None and self._fields.is_a(address, "Runner"):
            yield Runner(address, host, LoopState.IDLE, self._ahead(address))

    def _host(self, guest: int) -> int | None:
        """The thread that runs the tasks: that of the loop by which it is called back, or the only
        one that is no worker of trio's."""
        loop = self._fields.objects.bound_to(self._fields.of(guest, "run_sync_soon_threadsafe"))
        others = {
            tid: frames
            for tid, frames in self._stacks.items()
            if not any(within(frame) == _WORKERS for frame in frames)
        }
        for tid, frames in others.items():
            for frame in frames:
                runs_loop = frame.code.bare_name == "run_forever"
                if loop and runs_loop and self._fields.self_of(frame) == loop:
                    return tid
        return next(iter(others)) if len(others) == 1 else None

    def _state(self, frames: tuple[Frame, ...]) -> LoopState:
        innermost = frames[0].code.bare_name
        return LoopState.IDLE if innermost == _WAITS else LoopState.BUSY

    def _ahead(self, runner: int) -> float | None:
        clock = self._fields.of(runner, "clock")
        if not self._fields.is_a(clock, "SystemClock"):
            return None
        return self._fields.containers.number(self._fields.of(clock, "offset"))

    def tasks(self, runner: Runner) -> list[int]:
        """Those that are not done."""
        try:
            return self._fields.containers.set_items(self._fields.of(runner.address, "tasks"))
        except MemoryReadError:
            return []

    def loop(self, runner: Runner, watched: int, signals: int) -> Loop:
        """The runner as the model has event loops. *watched*: the tasks that wait for a file
        descriptor; *signals*: those that wait for a signal."""
        active = self._fields.path(runner.address, "deadlines", "_active")
        return Loop(
            runner.address,
            "trio.Runner",
            runner.state,
            runner.tid,
            timers=self._fields.containers.integer(active),
            watched=watched,
            signal_handlers=signals,
            library=LIBRARY,
            stopped_clock=_MOCK if active and self._stands(runner.address) else None,
        )

    def _stands(self, runner: int) -> bool:
        """Whether its clock is one of trio's tests that stands until the program moves it on:
        trio/_core/_mock_clock.py."""
        clock = self._fields.of(runner, "clock")
        if not self._fields.is_a(clock, "MockClock"):
            return False
        rate, jump = (
            self._fields.containers.number(self._fields.of(clock, name))
            for name in ("_rate", "_autojump_threshold")
        )
        return rate == 0 and jump == math.inf
