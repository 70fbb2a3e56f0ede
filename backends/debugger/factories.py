"""Opens debuggers for the processes of a capture: live ones, or those of core files."""

from collections.abc import Mapping

from hangtui.backends.debugger.client import RemoteDebugger, absolute
from hangtui.backends.debugger.wire import Opening
from hangtui.powers import NO_STOP, USUAL, Powers


class LiveDebuggers:
    """Opens debuggers for live processes."""

    def __init__(self, powers: Powers = USUAL) -> None:
        self.powers = powers

    def refusal(self, pid: int) -> str | None:  # noqa: ARG002
        """Every process may be tried."""
        return None

    def stop_refusal(self, pid: int) -> str | None:  # noqa: ARG002
        """There is a process."""
        return None if self.powers.stop else NO_STOP

    async def open(self, pid: int, names: Mapping[int, str]) -> RemoteDebugger:
        """See ``DebuggerFactory.open``."""
        return await RemoteDebugger.start(Opening(pid, None, "", dict(names), self.powers))


class CoreDebuggers:
    """Opens debuggers for core files, by the PIDs of the processes that they are of."""

    def __init__(
        self,
        cores: Mapping[int, str],
        root: str = "",
        powers: Powers = USUAL,
    ) -> None:
        """*root*: where the files of their machine lie; empty: here."""
        self.powers = powers
        self._cores = {pid: absolute(path) for pid, path in cores.items()}
        self._root = absolute(root) if root else ""

    def refusal(self, pid: int) -> str | None:
        """Other files hold no registers and no memory."""
        return None if pid in self._cores else "a capture file has no memory to look into"

    def stop_refusal(self, pid: int) -> str | None:  # noqa: ARG002
        """There is no process."""
        return "There is no process to stop."

    async def open(self, pid: int, names: Mapping[int, str]) -> RemoteDebugger:
        """See ``DebuggerFactory.open``."""
        core = self._cores[pid]
        return await RemoteDebugger.start(Opening(pid, core, self._root, dict(names), self.powers))
