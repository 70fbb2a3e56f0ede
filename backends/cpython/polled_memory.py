"""Which shared memory a loop looks into, and who else has that mapped."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.changing_code import Looked
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.door import Root
from hangtui.backends.ipc.sharers import sharers
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.memory.mappings import Mapping
from hangtui.model import CommonMemory, LoneMemory, clean

_FOLDER, _GONE = "/dev/shm/", " (deleted)"
_SHARED = "s"
_CLASS = "SharedMemory"
_MOST_OBJECTS, _MOST_PIDS = 60, 8


class PolledMemory:
    """Finds it in one process."""

    def __init__(self, pid: int, objects: Objects) -> None:
        self._pid = pid
        self._objects = objects

    def of(self, looked: Iterable[Looked]) -> tuple[LoneMemory | None, CommonMemory | None]:
        """The first such piece that is reached from what a loop looks at, over two attributes: one
        that no other process has mapped, or one that others have.

        Neither: there is none, or of one that was removed others have it, or the process has what
        is there by its name.
        """
        mapped = {
            one.path: one
            for one in self._objects.memory.mappings
            if one.path.startswith(_FOLDER) and _SHARED in one.permissions
        }
        if not mapped:
            return None, None
        with suppress(DamagedDataError, MemoryReadError, OSError), foreign_data():
            for name in self._names({owner for owner, _ in looked}):
                path = _FOLDER + name
                if path in mapped:
                    return self._known(name, mapped[path])
                if path + _GONE in mapped:
                    return self._removed(name, mapped[path + _GONE]), None
        return None, None

    def _names(self, owners: Iterable[int]) -> Iterator[str]:
        """What the pieces are called that these objects have."""
        objects, near = self._objects, list(owners)
        for _ in range(3):
            for one in near:
                if (objects.kind(one) or "").rpartition(".")[2] == _CLASS:
                    name = objects.attributes(one).get("_name", 0)
                    if objects.kind(name) == "str":
                        yield objects.text(name).lstrip("/")
            near = [part for one in near for part in self._parts(one)][:_MOST_OBJECTS]

    def _parts(self, address: int) -> list[int]:
        with suppress(MemoryReadError):
            return [one for one in self._objects.attributes(address).values() if one]
        return []

    def _known(self, name: str, mapping: Mapping) -> tuple[LoneMemory | None, CommonMemory | None]:
        """One that others may map by its name yet."""
        mine, told = _identity(mapping), clean(name, 120)
        others = sorted(sharers([mine])[mine] - {self._pid})[:_MOST_PIDS]
        if others:
            return None, CommonMemory(told, tuple(others))
        return LoneMemory(told, False), None

    def _removed(self, name: str, mapping: Mapping) -> LoneMemory | None:
        old, new = _identity(mapping), None
        with suppress(OSError), Root.of_process(self._pid) as root:
            found = root.facts(_FOLDER + name)
            device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
            new = f"{device}:{found.st_ino}:0"
        sharing = sharers([old, new] if new else [old])
        if sharing[old] - {self._pid}:
            return None
        others = sorted(sharing[new])[:_MOST_PIDS] if new else []
        return LoneMemory(clean(name, 120), True, new is not None, tuple(others))


def _identity(mapping: Mapping) -> str:
    return f"{mapping.device}:{mapping.inode}:0"
