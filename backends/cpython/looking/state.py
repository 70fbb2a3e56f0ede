"""Where one is while one goes through code."""

from collections.abc import Collection
from dataclasses import field
from typing import NamedTuple

from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.looking.items import CHANGES, ITERATOR, Item, either
from hangtui.backends.cpython.wakers.values import Scope
from hangtui.dataclass import dataclass

_BELOW = CHANGES._replace(plain=False)
"""What lies on the stack below what was seen of it: an iterator, say, that goes on."""
Slots = dict[int, Item]


class State(NamedTuple):
    """Before an instruction."""

    stack: tuple[Item, ...]
    slots: Slots

    @property
    def turns(self) -> tuple[Item, ...]:
        """How far the loops over known containers are that it is in: each turn of these is gone
        through on its own."""
        return tuple(one for one in self.stack if one.owner and one.name == ITERATOR.name)

    def pushed(self, *items: Item) -> "State":
        """With these on top."""
        return State((*self.stack, *items), self.slots)

    def popped(self, count: int = 1) -> tuple["State", tuple[Item, ...]]:
        """Without the top ones, and these, the topmost last."""
        missing = max(0, count - len(self.stack))
        kept = len(self.stack) - count + missing
        top = (*[_BELOW] * missing, *self.stack[kept:])
        return State(self.stack[:kept], self.slots), top

    def stored(self, slot: int, item: Item) -> "State":
        """With another value of a local variable."""
        return State(self.stack, {**self.slots, slot: item})


@dataclass(slots=True)
class Run:
    """One way through some code."""

    code: Code
    scope: Scope
    until: int | None = None
    """Where it ends, if it comes there."""
    inside: Collection[int] | None = None
    """The instructions of a loop; None: all that there are."""
    leaves: bool = False
    """Whether it may come to others."""
    results: list[Item] = field(default_factory=list)
    yields: list[Item] | None = None
    """What it gives one by one; None: it is no generator expression."""
    keywords: tuple[str, ...] = ()
    """By which the last arguments of the call are given that it comes to."""
    ends: list[Slots] = field(default_factory=list)
    """The variables each time that it came to the end."""


def joined(known: State, state: State, *, again: bool) -> State:
    """What may be one or the other."""
    size = min(len(known.stack), len(state.stack))
    pairs = zip(known.stack[-size:], state.stack[-size:], strict=True) if size else ()
    stack = tuple(either(one, other, again=again) for one, other in pairs)
    slots = {
        slot: either(known.slots[slot], state.slots[slot], again=again)
        for slot in known.slots.keys() & state.slots.keys()
    }
    return State(stack, slots)
