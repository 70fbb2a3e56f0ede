"""What is kept to be called later, and would end a wait then: callbacks of futures and timers,
links of greenlets, whatever its library calls them.

No stack shows such a call. But each is an object: a bound method, a closure, a function that more
than its module refers to. So all objects of the interpreter are gone through, once, and only where
somebody waits for what nobody else is seen to give back.
"""

from collections.abc import Collection, Iterable, Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.compiled import COMPILED_SCOPE, compiled_words
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.gc_lists import GcLists
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.receivers import Wanted
from hangtui.backends.cpython.wakers.sole import Sole
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError

_TAKES = frozenset({"acquire", "__enter__", "__aenter__"})
"""What code does that gives back what it took itself: called later, it would wait first."""
_EXITS = frozenset({"__exit__", "__aexit__"})
_BOUND = frozenset({"method", "builtin_function_or_method"})
_GIVEN = {"partial": 1, "TimerHandle": 0, "Handle": 0, "DelayedCall": 0}
"""Objects that keep arguments for a call, and in which word behind the head of them these are; 0:
in an attribute."""
_ARGUMENTS = ("_args", "args")


class KeptCalls:
    """Looks through all objects of one interpreter."""

    def __init__(
        self,
        objects: Objects,
        codes: CodeReader,
        values: Values,
        mentions: Mentions,
        near: Near,
        wanted: Wanted,
    ) -> None:
        self._objects = objects
        self._codes = codes
        self._values = values
        self._mentions = mentions
        self._near = near
        self._wanted = wanted
        self._containers = Containers(objects, codes)
        self._sole = Sole(objects)
        self._codes_that_end: dict[int, bool] = {}
        self._names: dict[int, str] = {}

    def of(
        self, targets: Collection[int], lists: GcLists, frames: Iterable[Frame]
    ) -> frozenset[int]:
        """Those of *targets* for which something is kept that would end the wait, or of which that
        cannot be told; *frames*: all that are alive.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if not lists.kept:
            return frozenset(targets)
        frames = list(frames)
        names = frozenset(name for target in targets for name in self._wanted[target])
        field, u64 = self._objects.layout["object.ob_type"], self._objects.memory.u64
        kinds: dict[int, str] = {}
        found: set[int] = set()
        functions: dict[int, set[int]] = {}
        for address in lists.objects():
            try:
                kind = u64(address + field)
                name = kinds.get(kind)
                if name is None:
                    name = kinds[kind] = self._role(address)
                if name == "function":
                    if reached := self._of_function(address, names) & set(targets):
                        functions[address] = reached
                elif name:
                    found.update(self._of_object(address, name, names))
            except MemoryReadError:
                continue
        for function, reached in functions.items():
            if not reached <= found and self._kept(function, frames):
                found |= reached
        whole = self._near.whole and not lists.torn
        return frozenset(targets) & found if whole else frozenset(targets)

    def _role(self, address: int) -> str:
        name = (self._objects.kind(address) or "").rpartition(".")[2]
        if name.startswith(COMPILED_SCOPE):
            return COMPILED_SCOPE
        return name if name == "function" or name in _BOUND or name in _GIVEN else ""

    def _of_object(self, address: int, name: str, names: Collection[str]) -> Iterable[int]:
        """What a bound method, an object that has the arguments of a call, or a coroutine that
        Cython has compiled may end waits for: nobody can read how the latter goes on."""
        if name == COMPILED_SCOPE:
            kept = compiled_words(self._objects, address)
            return [one for value in kept for one in self._near.targets(value)]
        if name in _GIVEN:
            return [
                one for value in self._given(address, name) for one in self._near.targets(value)
            ]
        owner = self._objects.bound_to(address)
        if not owner:
            return ()
        own = owner in self._wanted
        if name == "method":
            called = self._objects.function_name(address)
            if called in _EXITS:
                return ()  # on the stack of a frame, which tells more of it
            if called is not None:
                ends = self._ends(self._objects.function_code(address), names)
                return self._near.targets(owner) if ends or (own and called in names) else ()
        return (owner,) if own else ()

    def _given(self, address: int, name: str) -> Sequence[int]:
        if not _GIVEN[name]:
            attributes = self._containers.members(address)
            kept = next((attributes[one] for one in _ARGUMENTS if one in attributes), 0)
        else:
            kept = self._containers.field(address, _GIVEN[name])
        return self._containers.sequence(kept) if kept else ()

    def _of_function(self, function: int, names: Collection[str]) -> set[int]:
        """What a function would end waits for, through what it closes over or its module has."""
        address = self._objects.function_code(function)
        if not self._ends(address, names):
            return set()
        closed = self._containers.closure(function).values()
        found = set[int]().union(*map(self._near.targets, closed))
        made = self._values.function(function)
        code = self._codes.code(address)
        if made is not None:
            scope = self._values.call(made, code.variables)
            for mention in self._mentions.of(code):
                if mention.receiver is not None and mention.name in names:
                    value = self._values.of(mention.receiver, scope) or 0
                    found.update((value,) if value in self._wanted else ())
        return found

    def _ends(self, address: int, names: Collection[str]) -> bool:
        """Whether code uses one of these names, and does not take first what it gives back."""
        known = self._codes_that_end.get(address)
        if known is None:
            at = self._objects.memory.u64(address + self._objects.layout["code.co_names"])
            mentioned = set(map(self._text, self._objects.tuple_items(at))) if at else set()
            gives = not mentioned.isdisjoint(names) and mentioned.isdisjoint(_TAKES)
            known = self._codes_that_end[address] = gives
        return known

    def _text(self, name: int) -> str:
        """A name in code: most are in many codes, and each is one object."""
        known = self._names.get(name)
        if known is None:
            known = self._names[name] = self._objects.text(name)
        return known

    def _kept(self, function: int, frames: Sequence[Frame]) -> bool:
        """Whether more refers to a function than its module and the frames that are alive."""
        address = self._objects.function_code(function)
        code = self._codes.code(address)
        if function in self._sole.of((function,), frames):
            return False
        running = sum(frame.code.address == address for frame in frames)
        return not self._is_named(function, code) or self._sole.count(function) != 1 + running

    def _is_named(self, function: int, code: Code) -> bool:
        """Whether a name of its module means the function."""
        made = self._values.function(function)
        if made is None:
            return False
        namespace = self._values.call(made, code.variables).namespace
        return namespace.get(code.bare_name) == function
