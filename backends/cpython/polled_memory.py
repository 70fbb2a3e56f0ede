"""Which shared memory a loop looks into that was removed, and that nobody else has mapped."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.changing_code import Looked
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.door import Root
from hangtui.backends.ipc.sharers import sharers
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.memory.mappings import Mapping
from hangtui.model import RemovedMemory, clean

_FOLDER, _GONE = "/dev/shm/", " (deleted)"
_SHARED = "s"
_CLASS = "SharedMemory"
_MOST_OBJECTS, _MOST_PIDS = 60, 8


class PolledMemory:
    """Finds it in one process."""

    def __init__(self, pid: int, objects: Objects) -> None:
        self._pid = pid
        self._objects = objects

    def removed(self, looked: Iterable[Looked]) -> RemovedMemory | None:
        """The first such piece that is reached from what a loop looks at, over two attributes.

        None: there is none, others have it mapped as well, or the process has what is there by that
        name now, too.
        """
        mapped = [one for one in self._objects.memory.mappings if one.path.startswith(_FOLDER)]
        gone = {
            one.path.removesuffix(_GONE): one
            for one in mapped
            if one.path.endswith(_GONE) and _SHARED in one.permissions
        }
        if not gone:
            return None
        held = {one.path for one in mapped}
        with suppress(DamagedDataError, MemoryReadError, OSError), foreign_data():
            for name in self._names({owner for owner, _ in looked}):
                mapping = gone.get(_FOLDER + name)
                if mapping is not None and mapping.path.removesuffix(_GONE) not in held:
                    return self._alone(name, mapping)
        return None

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

    def _alone(self, name: str, mapping: Mapping) -> RemovedMemory | None:
        old, new = f"{mapping.device}:{mapping.inode}:0", None
        with suppress(OSError), Root.of_process(self._pid) as root:
            found = root.facts(_FOLDER + name)
            device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
            new = f"{device}:{found.st_ino}:0"
        sharing = sharers([old, new] if new else [old])
        if sharing[old] - {self._pid}:
            return None
        others = sorted(sharing[new])[:_MOST_PIDS] if new else []
        return RemovedMemory(clean(name, 120), new is not None, tuple(others))
