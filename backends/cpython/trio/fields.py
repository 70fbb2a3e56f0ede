"""Attributes of trio's objects: by version and class they are slots or in the instance's dict."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects

_PACKAGE = "trio"


class Fields:
    """Reads objects of trio in one interpreter."""

    def __init__(self, objects: Objects, frames: Frames, containers: Containers) -> None:
        self.objects = objects
        self.frames = frames
        self.containers = containers
        self._classes = Classes(objects)

    def of(self, address: int, name: str) -> int:
        """An attribute; 0: there is none, or it is ``None``. Never raises."""
        found = self.containers.slot(address, name)
        if not found:
            found = self.objects.attributes(address).get(name, 0)
        return 0 if not found or self.objects.kind(found) in (None, "NoneType") else found

    def path(self, address: int, *names: str) -> int:
        """An attribute of an attribute; 0: there is none. Never raises."""
        for name in names:
            address = self.of(address, name) if address else 0
        return address

    def self_of(self, frame: Frame) -> int:
        """The object whose method a frame runs; 0: none.

        Up to 3.10 a variable that a closure needs has a second slot, and nothing in the first.

        Raises:
            MemoryReadError: the frame cannot be read.
        """
        names = frame.code.variables
        slots = (self.frames.variable(frame, i) for i, name in enumerate(names) if name == "self")
        return next(filter(None, slots), 0)

    def is_a(self, address: int, *names: str, package: str = _PACKAGE) -> bool:
        """Whether an object is an instance of one of these classes."""
        return any(self._classes.is_a(address, package, name) for name in names)
