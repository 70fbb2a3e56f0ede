"""What is waited for, and lies as an item in a queue that only who waits takes from: further out on
its own stack stands the loop that would come to it next, by itself or in a function that it calls.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeId, OwnQueue, clean

_TAKES = frozenset({"get", "get_nowait", "popleft", "pop"})
_MOST_ITEMS = 50
_MOST_ALIKE = 4
"""Who waits for the same thing, called by the same functions, and is looked at: workers of a pool
may be hundreds, and take from the same queue."""
_DEPTH = 2
"""Functions that call each other, from a frame on."""


class _Taking(NamedTuple):
    """Where code takes an item from a queue."""

    mention: Mention
    code: Code
    queue: int


class OwnQueues:
    """Looks through the stacks of one interpreter."""

    def __init__(self, values: Values, codes: CodeReader, mentions: Mentions, near: Near) -> None:
        self._values = values
        self._codes = codes
        self._mentions = mentions
        self._near = near
        self._known: dict[tuple[int, int, int], Sequence[_Taking]] = {}
        self._items: dict[int, Sequence[int]] = {}

    def of(
        self,
        stacks: Mapping[NodeId, tuple[Frame, ...]],
        waiting: Collection[tuple[NodeId, int]],
    ) -> dict[int, OwnQueue]:
        """By what is waited for; *waiting*: who waits for what.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found: dict[int, OwnQueue] = {}
        alike = Counter[tuple[int, ...]]()
        for node, target in waiting:
            frames = stacks.get(node, ())[1:]
            way = target, *(frame.code.address for frame in frames)
            alike[way] += 1
            if target in found or alike[way] > _MOST_ALIKE:
                continue
            coming = (one for frame in frames for one in self._taking(frame, ahead=True))
            anywhere = (one for frame in frames for one in self._taking(frame))
            for taking in chain(coming, anywhere):
                others = (stack for one, stack in stacks.items() if one != node)
                lies = self._lies_in(taking.queue, target)
                if lies and not self._taken_by(others, taking.queue):
                    found[target] = self._told(taking)
                    break
        return found

    def _taking(self, frame: Frame, *, ahead: bool = False) -> Iterator[_Taking]:
        """Where a frame's code takes an item from a queue, or what that calls; *ahead*: where it
        may come to that, and not another time."""
        code, mentions = frame.code, self._mentions.of(frame.code)
        if ahead:
            mentions = self._mentions.ahead(code, frame.instruction).mentions
        with suppress(MemoryReadError):
            yield from self._in_code(code, mentions, self._values.frame(frame), _DEPTH)

    def _in_code(
        self, code: Code, mentions: Iterable[Mention], scope: Scope, depth: int
    ) -> Iterator[_Taking]:
        for mention in mentions:
            if mention.receiver is None:
                continue
            with suppress(MemoryReadError):
                value = self._values.of(mention.receiver, scope)
                if value and mention.name in _TAKES:
                    yield _Taking(mention, code, value)
                elif value and mention.name and depth:
                    called = self._values.called(value, mention.name)
                    yield from self._in_function(called, depth - 1) if called else ()

    def _in_function(self, function: Function, depth: int) -> Sequence[_Taking]:
        key = function.address, function.bound, depth
        known = self._known.get(key)
        if known is None:
            self._known[key] = ()  # functions call themselves
            code = self._codes.code(function.code)
            if not library_file(code.filename):
                scope = self._values.call(function, code.variables)
                scope.slots.update(self._made(code, scope))
                known = tuple(self._in_code(code, self._mentions.of(code), scope, depth))
            self._known[key] = known = known or ()
        return known

    def _made(self, code: Code, scope: Scope) -> Iterator[tuple[int, int]]:
        """Local variables that only an attribute is given to: ``client = self.client``."""
        for slot in range(len(code.variables)):
            origins = () if slot in scope.slots else self._mentions.origins(code, slot) or ()
            if len(origins) == 1 and len(origins[0]) == 1:
                mention = origins[0][0]
                owner = self._values.of(mention.receiver, scope) if mention.receiver else None
                value = self._values.attribute(owner, mention.name) if owner else None
                if value and mention.name:
                    yield slot, value

    def _lies_in(self, queue: int, target: int) -> bool:
        """Whether an item of the queue leads to what is waited for."""
        items = self._items.get(queue)
        if items is None:
            items = self._items[queue] = self._in_turn(queue)
        with suppress(MemoryReadError):
            return any(
                target in self._near.targets(one) or target in self._near.by_calls(one)
                for one in items
            )
        return False

    def _in_turn(self, queue: int) -> Sequence[int]:
        """Items that come out of the queue one after the other; none: it is no queue."""
        if not self._near.in_turn(queue):
            return ()
        with suppress(MemoryReadError):
            return list(self._near.items(queue) or ())[:_MOST_ITEMS]
        return ()

    def _taken_by(self, stacks: Iterable[Iterable[Frame]], queue: int) -> bool:
        frames = (frame for stack in stacks for frame in stack)
        return any(one.queue == queue for frame in frames for one in self._taking(frame))

    def _told(self, taking: _Taking) -> OwnQueue:
        code = taking.code
        name = taking.mention.text(code).rpartition(".")[0]
        line = self._codes.line(code, taking.mention.offset)
        return OwnQueue(clean(name, 80), clean(f"{code.function} ({code.file}:{line})", 120))
