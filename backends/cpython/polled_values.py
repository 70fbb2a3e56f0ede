"""What the parts of a loop's condition are at the moment, as far as that is told."""

from collections.abc import Mapping
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeId

_COUNTED = ("dict", "list", "tuple")
_LIVES = "is_alive"


class PolledValues:
    """Reads them in one process. *idents*: TID by ``Thread.ident``."""

    def __init__(
        self, objects: Objects, values: Values, containers: Containers, idents: Mapping[int, int]
    ) -> None:
        self._objects = objects
        self._values = values
        self._containers = containers
        self._idents = idents

    def shown(self, mention: Mention, frame: Frame) -> str | None:
        """What a mention is now, if that tells nothing but whether there is something."""
        with suppress(MemoryReadError):
            owner = self._owner(mention, frame)
            value = owner
            if mention.name and owner:
                value = self._values.attribute(owner, mention.name)
            kind = self._objects.kind(value) if value else None
            if value and kind == "bool":
                return str(bool(self._objects.integer(value)))
            if kind == "NoneType":
                return "None"
            if value and kind in _COUNTED:
                return "empty" if not self._count(value, kind) else None
        return None

    def asks_itself(self, mention: Mention, frame: Frame, node: NodeId) -> bool:
        """Whether it is ``thread.is_alive()`` of the very thread that asks: it is, for as long."""
        if mention.name != _LIVES or mention.called >= mention.until or node.tid is None:
            return False
        with suppress(MemoryReadError):
            owner = self._owner(mention, frame)
            number = self._objects.attributes(owner).get("_ident", 0) if owner else 0
            ident = self._containers.integer(number) if number else None
            return ident is not None and self._idents.get(ident) == node.tid
        return False

    def _owner(self, mention: Mention, frame: Frame) -> int | None:
        scope = self._values.frame(frame)
        return self._values.of(mention.receiver, scope) if mention.receiver else None

    def _count(self, container: int, kind: str) -> int:
        if kind in ("list", "tuple"):
            return self._objects.size(container)
        return self._containers.dict_size(container) if kind == "dict" else 1
