"""Which object of the program's own stands behind one of a package, whose loop asks it."""

from contextlib import suppress

from hangtui.backends.cpython.changing_code import is_of_program
from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.frames import Frame, installed_file
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.mentions import Mention
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError

_MOST = 60
"""Objects that are looked at."""


class OwnObjects:
    """Finds them in one process."""

    def __init__(self, python: PythonReader, values: Values) -> None:
        self._python = python
        self._values = values
        self._classes = Classes(python.objects)

    def behind(self, mention: Mention, frame: Frame) -> str | None:
        """The class of the only such object that an object of a package has itself, or by way of
        one more; None: its method is not of a package, there is none, or there are several."""
        if is_of_program(frame.code.filename) or mention.receiver is None:
            return None
        with suppress(MemoryReadError):
            asked = self._values.of(mention.receiver, self._values.frame(frame))
            near = self._parts(asked) if asked else []
            found = {name for one in near if (name := self._own(one))}
            if not found:
                far = [part for one in near for part in self._parts(one)][:_MOST]
                found = {name for one in far if (name := self._own(one))}
            return found.pop() if len(found) == 1 else None
        return None

    def _parts(self, owner: int) -> list[int]:
        objects = self._python.objects
        classes = self._classes.of(owner)
        return list(objects.attributes(owner).values())[:_MOST] if classes else []

    def of_package(self, address: int) -> bool:
        """Whether an object's class is an installed package's; False: or that is not known."""
        with suppress(MemoryReadError):
            classes = self._classes.of(address)
            return bool(classes) and installed_file(self._file(classes[0][0]))
        return False

    def _own(self, address: int) -> str | None:
        """The name of an object's class, if the program has written that."""
        classes = self._classes.of(address)
        if not classes:
            return None
        module, name = classes[0]
        file = self._file(module)
        return name if file and is_of_program(file) else None

    def _file(self, module: str) -> str:
        """Of a module; empty: it has none, or that is not known."""
        objects = self._python.objects
        file = self._python.module(module).get("__file__", 0)
        return objects.text(file) if objects.kind(file) == "str" else ""
