"""What is known of the local variables at which a loop looks."""

from contextlib import suppress

from hangtui.backends.cpython.bytecode import Bytecode, Expression
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.liveness import settled
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.polled_parts import variable_of
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError

_PLAIN = frozenset("int float bool str bytes NoneType tuple frozenset range".split())
"""What does not change itself."""


class PolledVariables:
    """Tells it of one process."""

    def __init__(
        self, objects: Objects, bytecode: Bytecode, mentions: Mentions, values: Values
    ) -> None:
        self._objects = objects
        self._bytecode = bytecode
        self._mentions = mentions
        self._values = values

    def stores(self, variable: Expression, frame: Frame) -> bool:
        """Whether what is still to come in the frame's code sets it, as in each turn."""
        return variable.slot in self._mentions.ahead(frame.code, frame.instruction).stored

    def is_settled(self, mention: Mention, frame: Frame) -> bool:
        """Whether it is a local variable that its function does not set any more: of one that has a
        plain value nothing comes, however often that is looked at."""
        variable = variable_of(mention)
        known = settled(self._bytecode, frame.code, frame.instruction) if variable else ()
        return variable is not None and variable.slot in known

    def plain(self, variable: Expression, frame: Frame) -> bool | None:
        """Whether a local variable is a plain value; None: that is not known, or the loop stores
        it, so that it is another one in each turn."""
        if self.stores(variable, frame):
            return None
        with suppress(MemoryReadError):
            value = self._values.of(variable, self._values.frame(frame))
            return None if value is None else (self._objects.kind(value) or "int") in _PLAIN
        return None
