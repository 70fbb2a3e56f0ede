"""Names for locks, queues and events of asyncio: the variables and attributes that mean them.

Coroutines hand such objects on as arguments, so the same lock is ``source`` in one task and
``target`` in another. Of all names in sight the one is taken that means no other object.
"""

from collections.abc import Iterable, Mapping

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

MAX_FRAMES = 300
_MAX_OWNERS = 400
_MAX_SCOPES = 20
_WITHOUT_ATTRIBUTES = frozenset(
    {None, "module", "type", "dict", "str", "int", "function", "tuple", "list", "NoneType"}
)


def names_of(
    wanted: set[int], stacks: Iterable[tuple[Frame, ...]], objects: Objects, frames: Frames
) -> dict[int, str]:
    """A name for each of *wanted* that something on *stacks* refers to."""
    return _Search(wanted, objects, frames).run(stacks)


class _Search:
    def __init__(self, wanted: set[int], objects: Objects, frames: Frames) -> None:
        self._wanted = wanted
        self._objects = objects
        self._frames = frames
        self._meanings: dict[str, set[int]] = {}
        """What each name means."""
        self._ranks: dict[tuple[int, str], int] = {}

    def run(self, stacks: Iterable[tuple[Frame, ...]]) -> dict[int, str]:
        frames = self._some_frames(stacks)
        scopes = [self._frames.variables(frame) for frame in frames]
        for frame, scope in zip(frames, scopes, strict=True):
            # The variables of asyncio's own functions are called the same for all objects.
            if not frame.in_library:
                self._variables(scope, 1)
        self._globals({frame.namespace for frame in frames if not frame.in_library})
        owners = {value: name for scope in scopes for name, value in scope.items()}
        owners = self._named_globals(frames) | owners
        for owner, variable in list(owners.items())[:_MAX_OWNERS]:
            self._attributes(owner, variable)
        known = {address: name for address in self._wanted if (name := self._best(address))}
        if len(known) < len(self._wanted):
            self._two_steps_away(zip(frames, scopes, strict=True))
        return {address: name for address in self._wanted if (name := self._best(address))}

    def _some_frames(self, stacks: Iterable[tuple[Frame, ...]]) -> list[Frame]:
        """The program's own come first: a server puts dozens around each of them."""
        frames = (frame for stack in stacks for frame in stack)
        return sorted(frames, key=lambda one: not of_application(one))[:MAX_FRAMES]

    def _note(self, name: str, address: int, rank: int) -> None:
        self._meanings.setdefault(name, set()).add(address)
        key = (address, name)
        self._ranks[key] = min(rank, self._ranks.get(key, rank))

    def _variables(self, scope: Mapping[str, int], rank: int) -> None:
        for name, value in scope.items():
            if value in self._wanted and name != "self":
                self._note(name, value, rank)

    def _globals(self, namespaces: set[int]) -> None:
        for namespace in list(namespaces)[:_MAX_SCOPES]:
            try:
                items = list(self._objects.items(namespace))
                found = {
                    self._objects.text(key): value for key, value in items if value in self._wanted
                }
            except MemoryReadError:
                continue
            self._variables(found, 0)

    def _named_globals(self, frames: Iterable[Frame]) -> dict[int, str]:
        """The globals that the program's functions name: ``gun``, where one waits for gun.shot."""
        found: dict[int, str] = {}
        asked: dict[int, set[str]] = {}
        for frame in frames:
            if of_application(frame):
                asked.setdefault(frame.namespace, set()).update(frame.code.names)
        for namespace, names in list(asked.items())[:_MAX_SCOPES]:
            try:
                known = self._objects.named(namespace)
            except MemoryReadError:
                continue
            found |= {known[name]: name for name in names & known.keys()}
        return found

    def _two_steps_away(self, frames: Iterable[tuple[Frame, Mapping[str, int]]]) -> None:
        """What the program's functions name through an object that a variable has:
        ``self.client.synced``."""
        asked: dict[int, str] = {}
        for frame, scope in frames:
            if not of_application(frame):
                continue
            names = set(frame.code.names)
            for owner in list(scope.values())[:_MAX_SCOPES]:
                if self._objects.kind(owner) not in _WITHOUT_ATTRIBUTES:
                    known = self._objects.attributes(owner)
                    asked |= {known[name]: name for name in names & known.keys()}
        for owner, name in list(asked.items())[:_MAX_OWNERS]:
            self._attributes(owner, name)

    def _attributes(self, owner: int, variable: str) -> None:
        """By the class, since that is where an attribute is written; or by the variable."""
        class_ = self._objects.kind(owner)
        if class_ in _WITHOUT_ATTRIBUTES or owner in self._wanted:
            return
        for attribute, value in self._objects.attributes(owner).items():
            if value in self._wanted:
                self._note(f"{class_}.{attribute}", value, 0)
                self._note(f"{variable}.{attribute}", value, 2)

    def _best(self, address: int) -> str | None:
        """The best name that means nothing else; of those, the longest says the most."""
        own = [
            (rank, -len(name), name)
            for (value, name), rank in self._ranks.items()
            if value == address and len(self._meanings[name]) == 1
        ]
        if own:
            return clean(min(own)[2], 80)
        shared = [name for value, name in self._ranks if value == address]
        return f"{clean(shared[0], 80)} at {address:#x}" if shared else None
