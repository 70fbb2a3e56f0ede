"""The classes of an object, with the modules that they were written in."""

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

_MAX_CLASSES = 50


class Classes:
    """Tells of what classes objects of one interpreter are."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: dict[int, tuple[tuple[str, str], ...]] = {}

    def of(self, address: int) -> tuple[tuple[str, str], ...]:
        """Module and name of an object's class and its bases, in the order in which they are
        looked through; only those written in Python. Never raises.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if self._objects.kind(address) is None:
            return ()
        try:
            kind = self._objects.type_of(address)
            if kind not in self._known:
                self._known[kind] = tuple(self._titles(kind))
            return self._known[kind]
        except MemoryReadError:
            return ()

    def _titles(self, kind: int) -> list[tuple[str, str]]:
        objects, layout = self._objects, self._objects.layout
        order = objects.memory.u64(kind + layout["type.tp_mro"])
        found = []
        for base in objects.tuple_items(order)[:_MAX_CLASSES] if order else ():
            namespace = objects.memory.u64(base + layout["type.tp_dict"])
            module = objects.named(namespace).get("__module__", 0) if namespace else 0
            if objects.kind(module) == "str":
                raw = objects.memory.u64(base + layout["type.tp_name"])
                name = objects.memory.c_string(raw, 100)
                found.append((clean(objects.text(module), 100), clean(name, 100)))
        return found

    def is_a(self, address: int, package: str, name: str) -> bool:
        """Whether an object is an instance of a class of this name in *package*."""
        return any(one == name and in_package(module, package) for module, one in self.of(address))

    def package(self, address: int) -> str | None:
        """The package that an object's class is in; None: not known."""
        classes = self.of(address)
        return classes[0][0].partition(".")[0] if classes else None


def in_package(module: str, package: str) -> bool:
    """Whether a module is *package* or in it."""
    return module == package or module.startswith(f"{package}.")
