"""What a function's code calls, or hands on: every variable that it loads, with the attributes that
it fetches from there, and which of these a frame may still come to."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hangtui.backends.cpython.bytecode import (
    SETUPS,
    Bytecode,
    Expression,
    Instruction,
    Root,
    branches,
    reachable,
)
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.wakers.stack_use import FETCHES, Items, calls, entered, next_uses
from hangtui.backends.limits import Spending

_BETWEEN = frozenset({"PUSH_NULL", "NOP", "PRECALL", "NOT_TAKEN"})


class Mention(NamedTuple):
    """A variable, or an attribute of something, at one place of the code."""

    start: int
    offset: int
    until: int
    """Where the statement that it is part of goes on to something else."""
    called: int
    """Where it is called, or what it is an argument of; the same as *until*: nowhere."""
    receiver: Expression | None
    """None: the code does not tell, as for an item of a list."""
    name: str
    """The attribute; empty: the receiver itself is what is mentioned."""
    constant: int | None = None
    """The constant that stands next: what it is called with first, if it is called."""
    told: bool = False
    """It is an argument of what a `with` enters, which is told of it and hardly calls it."""
    item_of: Expression | None = None
    """Of what the receiver is an item: ``asked`` in ``asked["ready"].set()``, and in
    ``asked.pop("ready").set()``; None: of nothing that the code tells."""

    def text(self, code: Code) -> str:
        """``self.ready.notify``."""
        if self.receiver is None:
            items = f"{_spelt(self.item_of, code)}[...]" if self.item_of else "(...)"
            return f"{items}.{self.name}"
        return ".".join(part for part in (_spelt(self.receiver, code), self.name) if part)


def _spelt(expression: Expression, code: Code) -> str:
    """``self.ready``."""
    named = expression.root is Root.GLOBAL
    slot, names = expression.slot, code.variables
    root = expression.name if named else names[slot] if slot < len(names) else "?"
    return ".".join((root, *expression.attributes))


class Ahead(NamedTuple):
    """What a frame may still come to, without an exception."""

    mentions: tuple[Mention, ...]
    current: tuple[Mention, ...]
    """Those of the statement that it stands in, which it does not come to again: what is called
    there is running, or about to be called once its arguments are known."""
    stored: frozenset[int]
    """Slots of local variables that get another value on the way."""
    kept: frozenset[tuple[int, int]]
    """Where it comes to a mention before that, by the mention's start and the variable's slot: what
    a loop does with an item before it takes the next one."""


class Mentions:
    """Reads code objects of one interpreter."""

    def __init__(self, bytecode: Bytecode, spent: Spending) -> None:
        self._bytecode = bytecode
        self._spent = spent
        self._known: dict[int, tuple[Mention, ...]] = {}
        self._flows: dict[int, dict[int, tuple[int, ...]]] = {}
        self._origins: dict[int, dict[int, list[tuple[Mention, ...]] | None]] = {}
        self._unpacked: dict[int, dict[int, list[Mention]]] = {}
        self._ahead: dict[tuple[int, int], Ahead] = {}

    def of(self, code: Code) -> tuple[Mention, ...]:
        """All of them."""
        known = self._known.get(code.address)
        if known is None:
            known = self._known[code.address] = tuple(self._read(code))
        return known

    def comes_again(self, code: Code, start: int) -> bool:
        """Whether the instruction at *start* is in a loop, not by way of a handler."""
        flow = self._flow(code)
        return any(start in reachable(flow, one) for one in flow.get(start, ()))

    def iterates_at(self, code: Code, instruction: int) -> int | None:
        """Where a frame that stands on an instruction comes to take the next item of a loop, by
        offset; None: nowhere, but by way of a handler."""
        flow = self._flow(code)
        here = max((start for start in flow if start <= instruction), default=0)
        coming = set[int]().union(*(reachable(flow, start) for start in flow.get(here, ())))
        loops = (one for one in self._bytecode.instructions(code) if one.start in coming)
        return next((one.offset for one in loops if one.name == "FOR_ITER"), None)

    def origins(self, code: Code, slot: int) -> list[tuple[Mention, ...]] | None:
        """What the values of a local variable are made from, for each place where it is stored: for
        ``item = self.jobs.get(key)`` that is ``self.jobs.get`` and ``key``. None: one of its values
        comes from elsewhere, as an argument does, or from one of several branches."""
        known = self._origins.get(code.address)
        if known is None:
            known = self._origins[code.address] = self._traced(code)
        return known.get(slot)

    def stores(self, code: Code, slot: int) -> bool:
        """Whether a local variable is stored anywhere in the code; one that is not is an argument,
        or was never set."""
        self.origins(code, slot)
        return slot in self._origins[code.address]

    def _traced(self, code: Code) -> dict[int, list[tuple[Mention, ...]] | None]:
        """The origins of all local variables that are stored, by slot."""
        instructions = self._bytecode.instructions(code)
        self._spent.objects(len(instructions) >> 2)
        parts: dict[int, list[Mention]] = {}
        for mention in self.of(code):
            parts.setdefault(mention.until, []).append(mention)
        jumps = (i for i in instructions if branches(i))
        joins = {at for i in jumps for at in self._bytecode.following(i) if at != i.end}
        found: dict[int, list[tuple[Mention, ...]] | None] = {}
        for one in instructions:
            for slot in _stored(one):
                whole = found.setdefault(slot, [])
                if whole is not None and one.start in parts and one.start not in joins:
                    whole.append(tuple(parts[one.start]))
                else:
                    found[slot] = None
        return found

    def unpacks(self, code: Code, slot: int) -> bool:
        """Whether a local variable is among several into which a value is unpacked that the code
        takes from something: ``for text, done in batch``."""
        return bool(self.unpacked_from(code, slot))

    def unpacked_from(self, code: Code, slot: int) -> Sequence[Mention]:
        """What that value is made from: ``batch`` there, and ``zip``, ``self.asked`` and ``found``
        in ``for one, answer in zip(self.asked, found)``."""
        known = self._unpacked.get(code.address)
        if known is None:
            parts: dict[int, list[Mention]] = {}
            for mention in self.of(code):
                parts.setdefault(mention.until, []).append(mention)
            known = self._unpacked[code.address] = {}
            for one, parted in _unpacked(self._bytecode.instructions(code), parts):
                known.setdefault(one, []).extend(parted)
        return known.get(slot, ())

    def ahead(self, code: Code, instruction: int) -> Ahead:
        """What a frame that stands on an instruction may come to: not by way of a handler, for what
        only an exception leads to is no plan."""
        key = code.address, instruction
        known = self._ahead.get(key)
        if known is None:
            known = self._ahead[key] = self._look_ahead(code, instruction)
        return known

    def _look_ahead(self, code: Code, instruction: int) -> Ahead:
        flow = self._flow(code)
        self._spent.objects(len(flow) >> 2)
        here = max((start for start in flow if start <= instruction), default=0)
        coming: set[int] = set()
        for start in flow.get(here, ()):
            if start not in coming:
                coming |= reachable(flow, start)
        mentions = tuple(one for one in self.of(code) if one.start in coming)
        current = tuple(
            one
            for one in self.of(code)
            if one.start not in coming and one.start < here <= one.called < one.until
        )
        stores: dict[int, set[int]] = {}
        for one in self._bytecode.instructions(code):
            if one.start in coming:
                for slot in _stored(one):
                    stores.setdefault(slot, set()).add(one.start)
        kept = frozenset(self._kept(flow, here, mentions, stores))
        return Ahead(mentions, current, frozenset(stores), kept)

    def _kept(
        self,
        flow: Mapping[int, tuple[int, ...]],
        here: int,
        mentions: Iterable[Mention],
        stores: Mapping[int, Collection[int]],
    ) -> Iterator[tuple[int, int]]:
        """The mentions that are come to from *here* before another value is stored."""
        used: dict[int, list[int]] = {}
        for mention in mentions:
            receiver = mention.receiver
            if receiver is not None and receiver.root is Root.LOCAL and receiver.slot in stores:
                used.setdefault(receiver.slot, []).append(mention.start)
        for slot, starts in used.items():
            self._spent.objects(len(flow) >> 2)
            after = (reachable(flow, start, stores[slot]) for start in flow.get(here, ()))
            before = set[int]().union(*after)
            yield from ((start, slot) for start in starts if start in before)

    def _flow(self, code: Code) -> dict[int, tuple[int, ...]]:
        known = self._flows.get(code.address)
        if known is None:
            known = self._flows[code.address] = dict(self._followed(code))
        return known

    def _followed(self, code: Code) -> Iterator[tuple[int, tuple[int, ...]]]:
        """What follows on each instruction. Handlers do not, but for what ends an ``async for``."""
        instructions = self._bytecode.instructions(code)
        ends = {i.start for i in instructions if i.name == "END_ASYNC_FOR"}
        loops = [handler for handler in code.handlers if handler.target in ends]
        self._spent.objects(len(instructions) * (1 + len(loops)) >> 4)
        for one in instructions:
            following = self._bytecode.following(one)
            if one.name in SETUPS:
                following = tuple(at for at in following if at == one.end or at in ends)
            targets = (h.target for h in loops if h.start <= one.start < h.end)
            yield one.start, (*following, *targets)

    def _read(self, code: Code) -> list[Mention]:
        instructions = self._bytecode.instructions(code)
        self._spent.objects(len(instructions) >> 2)
        uses, called_at = next_uses(instructions), calls(instructions)
        found: list[Mention] = []
        pending: Mention | None = None
        items = Items()
        for index, instruction in enumerate(instructions):
            loaded = self._bytecode.loaded(code, instruction)
            fetched = instruction.name in FETCHES
            if instruction.name in _BETWEEN:
                continue
            if pending is not None and not fetched:
                if instruction.name.startswith("LOAD_CONST"):
                    pending = pending._replace(constant=instruction.argument)
                found.append(pending)
                whole, receiver = _whole(pending), pending.receiver
                items.note(index, whole, receiver, pending.name, pending.called)
                pending = None
            items.look(index, instruction)
            start, offset, until = instruction.start, instruction.offset, uses[index]
            called = min(called_at[index], until)
            before = self._bytecode.loaded_before(instruction)
            found += [Mention(start, offset, until, called, before, "")] * (before is not None)
            if loaded is not None:
                pending = Mention(start, offset, until, called, loaded, "")
            elif fetched:
                name = self._bytecode.attribute(code, instruction)
                if name is None:
                    pending = None
                elif pending is None or pending.receiver is None:
                    item_of = items.of.get(index)
                    pending = Mention(start, offset, until, called, None, name, item_of=item_of)
                else:
                    pending = Mention(start, offset, until, called, _whole(pending), name)
        found += [pending] if pending is not None else []
        return list(_with_told(found, entered(instructions)))


def _with_told(mentions: Iterable[Mention], entered: Collection[int]) -> Iterator[Mention]:
    met = set[int]()
    for one in mentions:
        yield one._replace(told=one.called in met)
        if one.called in entered:
            met.add(one.called)


def _whole(mention: Mention) -> Expression | None:
    """What a mention means, as what the next attribute is fetched from."""
    receiver = mention.receiver
    if receiver is None or not mention.name:
        return receiver
    attributes = (*receiver.attributes, mention.name)
    return Expression(receiver.root, receiver.slot, receiver.name, attributes)


def _stored(instruction: Instruction) -> tuple[int, ...]:
    """The slots of local variables that an instruction stores into."""
    name, argument = instruction.name, instruction.argument
    if name == "STORE_FAST_STORE_FAST":
        return argument >> 4, argument & 15
    if name == "STORE_FAST_LOAD_FAST":
        return (argument >> 4,)
    return (argument,) if name.startswith("STORE_FAST") else ()


def _unpacked(
    instructions: Sequence[Instruction], parts: Mapping[int, list[Mention]]
) -> Iterator[tuple[int, list[Mention]]]:
    """The slots of local variables that are stored by unpacking a value which mentions end in, each
    with these."""
    left = 0
    made: list[Mention] = []
    for one in instructions:
        if one.name.startswith("UNPACK_SEQUENCE"):
            made = parts.get(one.start) or parts.get(one.end) or []
            left = one.argument if made else 0
        elif left > 0 and (slots := _stored(one)):
            yield from ((slot, made) for slot in slots)
            left -= len(slots)
        else:
            left = 0
