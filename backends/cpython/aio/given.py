"""What gave a bare future: the call that a coroutine's own line awaits, as its code spells it."""

from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.model import clean

_AWAITS = "GET_AWAITABLE"
_CALLS = ("CALL", "PRECALL")
_MAKES = frozenset({"create_future", "Future", "wrap_future", "ensure_future"})
"""Calls that say nothing of what a future is for."""


class Given:
    """Looks into the code of one interpreter's coroutines."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._bytecode: Bytecode | None = None
        self._known: dict[tuple[int, int], str] = {}

    def by(self, frame: Frame) -> str:
        """``self.socket.recv()``, in which a frame stands that awaits what this gave; empty: it
        awaits what no such call gave, or that cannot be told."""
        key = frame.code.address, frame.instruction
        if key not in self._known:
            self._known[key] = self._read(frame)
        return self._known[key]

    def _read(self, frame: Frame) -> str:
        spent, code = self._objects.memory.spent, frame.code
        if self._bytecode is None:
            self._bytecode = Bytecode(self._objects.layout.version, spent)
        before = [
            one for one in self._bytecode.instructions(code) if one.start <= frame.instruction
        ]
        at = max((i for i, one in enumerate(before) if one.name == _AWAITS), default=0)
        calls = [one.start for one in before[max(at - 2, 0) : at] if one.name.startswith(_CALLS)]
        mentions = [
            one
            for one in Mentions(self._bytecode, spent).of(code)
            if one.called in calls and one.receiver is not None
        ]
        first = min(mentions, key=lambda one: one.start, default=None)
        if first is None or not first.name or first.name in _MAKES:
            return ""
        return f"{clean(first.text(code), 80)}()"
