"""Which attributes, variables and containers the parts of a loop's condition look at."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Root
from hangtui.backends.cpython.changing_code import PROPERTY, Looked, is_of_program
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.memory.damage import MemoryReadError

_CONTAINERS = frozenset(
    "dict list set deque OrderedDict defaultdict bytearray memoryview mmap array".split()
)
_MOST_ASKED = 6
"""What a method looks at, as far as it is taken for one that only tells how something is."""


class PolledObjects:
    """Finds these in one process."""

    def __init__(
        self,
        objects: Objects,
        codes: CodeReader,
        mentions: Mentions,
        values: Values,
        containers: Containers,
    ) -> None:
        self._objects = objects
        self._codes = codes
        self._mentions = mentions
        self._values = values
        self._containers = containers

    def of(self, mention: Mention, frame: Frame) -> Iterator[Looked]:
        """What a mention in a frame's code looks at: the attribute or variable, and the container
        that it is now."""
        yield from self._of(mention, self._values.frame(frame), frame.namespace)

    def by_methods(self, mention: Mention, frame: Frame) -> tuple[frozenset[Looked], int]:
        """The same of the program's method that it calls (``self.is_ready()``), or property, which
        looks at little; with the address of that one's code, 0: it calls none."""
        with suppress(MemoryReadError):
            function = self._asked(mention, self._values.frame(frame))
            code = self._codes.code(function.code) if function else None
            if function is not None and code is not None and is_of_program(code.filename):
                looked = frozenset(islice(self._in(function, code), _MOST_ASKED + 1))
                return (looked if len(looked) <= _MOST_ASKED else frozenset()), code.address
        return frozenset(), 0

    def _of(self, mention: Mention, scope: Scope, namespace: int) -> Iterator[Looked]:
        expression = mention.receiver
        if expression is None:
            return
        with suppress(MemoryReadError):
            owner = self._values.of(expression, scope)
            value = owner
            if mention.name:
                value = self._values.attribute(owner, mention.name) if owner else None
                yield from [(owner, mention.name)] if owner else []
            elif expression.root is Root.GLOBAL:
                yield namespace, expression.name
            if value and self._is_container(value):
                yield value, ""

    def _asked(self, mention: Mention, scope: Scope) -> Function | None:
        """The method or property of an object that is asked."""
        owner = self._values.of(mention.receiver, scope) if mention.receiver else None
        if not owner or not mention.name or self._values.kind(owner) == "module":
            return None
        if mention.called < mention.until:
            return self._values.called(owner, mention.name)
        value = self._values.attribute(owner, mention.name)
        if not value or self._values.kind(value) != PROPERTY:
            return None
        return self._values.function(self._containers.field(value), owner)

    def _in(self, function: Function, code: Code) -> Iterator[Looked]:
        scope = self._values.call(function, code.variables)
        namespace = self._values.globals_of(function)
        for one in self._mentions.of(code):
            if one.name:
                yield from self._of(one, scope, namespace)

    def _is_container(self, value: int) -> bool:
        return (self._objects.kind(value) or "").rpartition(".")[2] in _CONTAINERS
