"""What expressions mean in a frame, or in a function that is not called yet."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Expression, Root
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.references import References
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

_WRAPPERS = frozenset({"staticmethod", "classmethod"})
_PARTIAL = "functools.partial"
CALLS = frozenset({"function", "method", _PARTIAL})
"""Types of what can be called, and runs a function of Python."""
_NONE = "NoneType"
_MAX_CLASSES = 20
_MAX_WRAPPED = 4
_MAX_FOLLOWED = 40
"""Attributes of attributes, with those that properties give in turn."""
_DEFAULTS_BEFORE_CLOSURE = 16
"""Between ``func_defaults`` and ``func_closure`` there is ``func_kwdefaults`` alone."""
_PARAMETERS_INSIDE, _PARAMETERS_BEFORE_SIZE = (3, 11, 0), 12
"""``co_argcount`` is the first field up to 3.10, the third before ``co_stacksize`` since."""


@dataclass(frozen=True, slots=True)
class Function:
    """A Python function, with what it is bound to."""

    address: int
    code: int
    bound: int = 0
    """``self``; 0: none."""


class Scope:
    """The variables of one frame, or of one call that has not begun."""

    def __init__(self, slots: dict[int, int], namespace: Mapping[str, int]) -> None:
        self.slots = slots
        """What is known of local, cell and free variables, by slot."""
        self.namespace = namespace

    def root(self, expression: Expression) -> int:
        """What an expression begins with; 0: not known."""
        if expression.root is Root.GLOBAL:
            return self.namespace.get(expression.name, 0)
        return self.slots.get(expression.slot, 0)


class Values:
    """Looks expressions up in one interpreter; each object once."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        references: References,
        containers: Containers,
        getters: Callable[[int], tuple[str, ...]] | None = None,
    ) -> None:
        """*getters*: which attributes a property gives; empty: something else."""
        self._getters = getters
        self._objects = objects
        self._frames = frames
        self._references = references
        self._containers = containers
        self._namespaces: dict[int, dict[str, int]] = {}
        self._members: dict[int, dict[str, int]] = {}
        self._classes: dict[int, dict[str, int]] = {}
        self._called: dict[tuple[int, str], Function | None] = {}
        self._last: tuple[Frame, Scope] | None = None

    def frame(self, frame: Frame, bound: Mapping[str, int] | None = None) -> Scope:
        """The variables of a frame; *bound*: these, where they are known."""
        if self._last is not None and self._last[0] is frame:
            return self._last[1]
        bound = self._frames.variables(frame) if bound is None else bound
        slots = {i: bound[name] for i, name in enumerate(frame.code.variables) if name in bound}
        scope = Scope(slots, self.namespace(frame.namespace))
        self._last = frame, scope
        return scope

    def call(self, function: Function, variables: tuple[str, ...]) -> Scope:
        """Those of a call of *function* as far as they are known before it begins."""
        closure = self._containers.closure(function.address)
        slots = {i: closure[name] for i, name in enumerate(variables) if name in closure}
        slots.update(self._defaults(function, len(variables)))
        if function.bound:
            slots[0] = function.bound
        return Scope(slots, self.namespace(self.globals_of(function)))

    def _defaults(self, function: Function, variables: int) -> dict[int, int]:
        """What its last parameters are where a call does not give them, by slot: of
        ``lambda answer, session=session: session.close()`` that is what it was made for."""
        layout, memory = self._objects.layout, self._objects.memory
        kept = memory.u64(function.address + layout["func.func_closure"] - _DEFAULTS_BEFORE_CLOSURE)
        if not kept or self._objects.kind(kept) != "tuple":
            return {}
        values = self._objects.tuple_items(kept)
        inner = layout.version < _PARAMETERS_INSIDE
        place = layout.header if inner else layout["code.co_stacksize"] - _PARAMETERS_BEFORE_SIZE
        first = memory.u32(function.code + place) - len(values)
        known = first >= 0 and first + len(values) <= variables
        return dict(enumerate(values, first)) if known else {}

    def globals_of(self, function: Function) -> int:
        """The dictionary with the variables of a function's module.

        Raises:
            MemoryReadError: it cannot be read.
        """
        place = function.address + self._objects.layout["func.func_globals"]
        return self._objects.memory.u64(place)

    def of(self, expression: Expression, scope: Scope) -> int | None:
        """The object; None: that cannot be told."""
        return self.follow(scope.root(expression) or None, expression.attributes)

    def follow(self, value: int | None, attributes: Iterable[str]) -> int | None:
        """An attribute of an attribute of an object, and so on; None: that cannot be told."""
        left = deque(attributes)
        for _ in range(_MAX_FOLLOWED):
            if value is None or not left:
                break
            found = self.attribute(value, left.popleft())
            if found and self._getters and (given := self._getters(found)):
                left.extendleft(reversed(given))
                continue
            value = found
        return None if left else value

    def passes_none(self, expression: Expression, scope: Scope) -> bool:
        """Whether an attribute on the way to what is meant is ``None``."""
        names = expression.attributes
        owners = (
            self.follow(scope.root(expression) or None, names[:count])
            for count in range(1, len(names))
        )
        return any(one is not None and self.kind(one) == _NONE for one in owners)

    def attribute(self, value: int, name: str) -> int | None:
        """An attribute of an object or of its class."""
        found = self._of_object(value).get(name)
        return found or self._of_class(self._objects.type_of(value)).get(name)

    def own(self, value: int, name: str) -> int | None:
        """An attribute that an object itself has; None: it has none, or that cannot be told."""
        return self._of_object(value).get(name)

    def type_of(self, value: int) -> int:
        """The type of an object; 0: of none."""
        return self._objects.type_of(value) if value else 0

    def kind(self, value: int) -> str | None:
        """The name of an object's type; None: there is no object."""
        return self._objects.kind(value)

    def is_partial(self, value: int) -> bool:
        """Whether an object is a function with some of its arguments."""
        return self._objects.kind(value) == _PARTIAL

    def is_class(self, value: int) -> bool:
        """Whether calling an object makes a new one."""
        return self._objects.kind(value) == "type"

    def function(self, value: int, bound: int = 0) -> Function | None:
        """What calling an object runs; None: no Python function, or that cannot be told.

        *bound*: the object that it was fetched from, if its class has it.
        """
        for _ in range(_MAX_WRAPPED):
            kind = self._objects.kind(value)
            if kind in _WRAPPERS:
                bound = self._objects.type_of(bound) if kind == "classmethod" and bound else 0
                value = self._containers.field(value)
            elif kind == _PARTIAL:
                value, bound = self._containers.field(value), 0
            elif kind == "method":
                bound = self._objects.bound_to(value)
                value = self._objects.memory.u64(value + self._objects.layout["method.im_func"])
            elif kind == "function":
                return Function(value, self._objects.function_code(value), bound)
            else:
                return None
        return None

    def method(self, value: int) -> tuple[int, str]:
        """The object whose method calling *value* calls, itself or as a partial call, and the name
        of that; 0 and nothing: it is none, or that cannot be told."""
        for _ in range(_MAX_WRAPPED):
            if self._objects.kind(value) != _PARTIAL:
                break
            value = self._containers.field(value)
        name = self._objects.function_name(value) or self._objects.builtin_name(value)
        bound = self._objects.bound_to(value) if name else 0
        return (bound, name) if bound else (0, "")

    def methods(self, value: int) -> list[Function]:
        """What calling the methods of an object's class runs: with those that a decorator has put
        another function around, which keeps them in its closure."""
        defined = self._of_class(self._objects.type_of(value)).values()
        found = [one for one in (self.function(one, value) for one in defined) if one is not None]
        return found + [inner for one in found for inner in self._decorated(one)]

    def defined(self, kind: int) -> list[Function]:
        """What calling the functions runs that a class defines itself, of no object."""
        namespace = self._objects.memory.u64(kind + self._objects.layout["type.tp_dict"])
        own = self.namespace(namespace).values() if namespace else ()
        return [one for one in map(self.function, own) if one is not None]

    def _decorated(self, function: Function) -> Iterator[Function]:
        objects = self._objects
        with suppress(MemoryReadError):
            cells = objects.memory.u64(function.address + objects.layout["func.func_closure"])
            for cell in objects.tuple_items(cells) if cells else ():
                inner = objects.cell_contents(cell)
                if inner and objects.kind(inner) == "function":
                    yield Function(inner, objects.function_code(inner), function.bound)

    def called(self, receiver: int | None, name: str) -> Function | None:
        """What calling an attribute of an object runs; without a *name*: the object itself."""
        if receiver is None:
            return None
        key = receiver, name
        if key not in self._called:
            self._called[key] = self._look_up(receiver, name)
        return self._called[key]

    def builtin(self, receiver: int, name: str) -> str:
        """The name of the function of C that the same runs; empty: it is none."""
        return self._objects.builtin_name(
            self._of_object(receiver).get(name, 0) if name else receiver
        )

    def _look_up(self, receiver: int, name: str) -> Function | None:
        if not name:
            return self.function(receiver)
        own = self._of_object(receiver).get(name)
        if own:
            return self.function(own)
        method = self._of_class(self._objects.type_of(receiver)).get(name)
        return self.function(method, receiver) if method else None

    def _of_object(self, value: int) -> dict[str, int]:
        members = self._members.get(value)
        if members is None:
            if self._objects.kind(value) == "module":
                members = self.namespace(self._objects.module_namespace(value))
            elif self._objects.kind(value) == "type":
                members = self._of_class(value)
            else:
                members = dict(self._references.referents(value))
            self._members[value] = members
        return members

    def _of_class(self, kind: int) -> dict[str, int]:
        """What a class and its bases define."""
        known = self._classes.get(kind)
        if known is None:
            known = {}
            layout, memory = self._objects.layout, self._objects.memory
            bases = memory.u64(kind + layout["type.tp_mro"])
            order = self._objects.tuple_items(bases)[:_MAX_CLASSES] if bases else ()
            for base in reversed(order):
                namespace = memory.u64(base + layout["type.tp_dict"])
                if namespace:
                    known.update(self._objects.named(namespace))
            self._classes[kind] = known
        return known

    def namespace(self, dictionary: int) -> dict[str, int]:
        """The variables of a module or a class, by name; empty: they cannot be read."""
        known = self._namespaces.get(dictionary)
        if known is None:
            try:
                known = self._objects.named(dictionary)
            except MemoryReadError:
                known = {}
            self._namespaces[dictionary] = known
        return known
