"""The debuggers that are open: one for each process that was asked about."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from hangtui.debugger import Debugger, DebuggerFactory, LiveState
from hangtui.model import TargetError
from hangtui.powers import NO_CONSOLE, Console, Powers

NOT_HERE = "There is no process and no core file behind this capture."


class Desk:
    """Opens debuggers when they are first needed, and ends them."""

    def __init__(
        self, factory: DebuggerFactory | None, changed: Callable[[LiveState], None]
    ) -> None:
        """*changed* is called whenever a target is stopped or let go."""
        self._factory = factory
        self._changed = changed
        self._open: dict[int, Debugger] = {}
        self._turn = asyncio.Lock()
        self._past_ms = 0.0

    def refusal(self, pid: int) -> str | None:
        """Why a process cannot be asked about; None: it can."""
        return NOT_HERE if self._factory is None else self._factory.refusal(pid)

    def stop_refusal(self, pid: int) -> str | None:
        """Why a process cannot be stopped; None: it can."""
        if (reason := self.refusal(pid)) is not None:
            return reason
        assert self._factory is not None
        return self._factory.stop_refusal(pid)

    @property
    def powers(self) -> Powers:
        """What may be done beyond looking."""
        return Powers() if self._factory is None else self._factory.powers

    def console_refusal(self, pid: int) -> str | None:
        """Why there is no console for a process; None: there is."""
        if (reason := self.refusal(pid)) is not None:
            return reason
        return NO_CONSOLE if self.powers.console is Console.NOTHING else None

    def key_refusal(self, key_id: str, pid: int) -> str | None:
        """Why a key of the debugger does nothing for a process; None: it does."""
        if key_id == "thread.console":
            return self.console_refusal(pid)
        return self.stop_refusal(pid) if key_id == "thread.stop" else self.refusal(pid)

    @property
    def live(self) -> LiveState:
        """The state of the target that is in our hands, if one is."""
        states = [debugger.live for debugger in self._open.values()]
        past_ms = self._past_ms + sum(state.past_ms for state in states)
        held = (s for s in states if s.stopped_s is not None or s.waiting_for)
        return replace(next(held, LiveState()), past_ms=past_ms)

    def about(self, pid: int) -> str:
        """What the answers about a process come from."""
        debugger = self._open.get(pid)
        return debugger.about if debugger else ""

    def opened(self, pid: int) -> Debugger | None:
        """The debugger of a process, if it has one."""
        return self._open.get(pid)

    async def debugger(self, pid: int, names: Mapping[int, str]) -> Debugger:
        """The debugger of a process; *names*: of its threads by TID.

        Raises:
            TargetError: there is none.
        """
        if (reason := self.refusal(pid)) is not None:
            raise TargetError(reason)
        assert self._factory is not None
        async with self._turn:
            debugger = self._open.get(pid)
            if debugger is None:
                debugger = self._open[pid] = await self._factory.open(pid, names)
                debugger.watch(lambda state: self._heard(pid, state))
            return debugger

    def _heard(self, pid: int, state: LiveState) -> None:
        if state.ended and (debugger := self._open.pop(pid, None)) is not None:
            self._past_ms += debugger.live.past_ms
        self._changed(state)

    async def renew(self) -> None:
        """A new capture is there: copies of the moment before it have had their time."""
        for pid, debugger in list(self._open.items()):
            if debugger.live.stopped_s is None and not debugger.live.waiting_for:
                del self._open[pid]
                self._past_ms += debugger.live.past_ms
                debugger.watch(lambda _state: None)
                with suppress(TargetError):
                    await debugger.close()

    async def close(self) -> None:
        """End all of them; stopped targets run on."""
        opened, self._open = list(self._open.values()), {}
        for debugger in opened:
            debugger.watch(lambda _state: None)
        await asyncio.gather(*(debugger.close() for debugger in opened), return_exceptions=True)
