"""What a loop that sleeps looks at in between, and which code of the program would change that."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.changing_code import ChangingCode, Looked, is_of_program
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.own_objects import OwnObjects
from hangtui.backends.cpython.polled_comers import PolledComers
from hangtui.backends.cpython.polled_counts import PolledCounts
from hangtui.backends.cpython.polled_locks import PolledLocks
from hangtui.backends.cpython.polled_makers import PolledMakers
from hangtui.backends.cpython.polled_memory import PolledMemory
from hangtui.backends.cpython.polled_objects import PolledObjects
from hangtui.backends.cpython.polled_parts import (
    Change,
    asks_type,
    counts_turns,
    is_clock,
    texts,
    variable_of,
)
from hangtui.backends.cpython.polled_paths import PolledPaths
from hangtui.backends.cpython.polled_values import PolledValues
from hangtui.backends.cpython.polled_variables import PolledVariables
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.reduced import Reduced
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Values
from hangtui.backends.cpython.wakers.written import functions_of
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import OWN_THREAD, Changer, NodeId, Polled, clean, thread_id

_MOST_POLLS, _MOST_TOLD = 20, 3
"""Loops of one process; what one looks at, and the functions that change it, as far as told."""
_FIRST = "__init__"


class _Loop(NamedTuple):
    waiter: NodeId
    frame: Frame
    looks_at: Mapping[str, str | None]
    """With what each of it was, as far as that is told."""
    looked: frozenset[Looked]
    file: str | None
    until: bool | None
    """Whether it is left once that is there, or once it is not; None: not known."""
    asks: str | None
    foreign: bool
    methods: frozenset[int]
    """The code of those that it asks in each turn."""


class PolledConditions:
    """Finds these in one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        objects = python.objects
        codes = CodeReader(objects)
        references = References(objects, python.frames, python.blocks, codes)
        self._pid = pid
        self._python = python
        self._objects = objects
        self._codes = codes
        self._bytecode = Bytecode(objects.layout.version, objects.memory.spent)
        self._mentions = mentions = Mentions(self._bytecode, objects.memory.spent)
        self._reduced = Reduced(objects, codes, self._bytecode, mentions)
        self._containers = Containers(objects, codes)
        self._values = Values(objects, python.frames, references, self._containers)
        self._now = PolledValues(objects, self._values, self._containers, python.idents)
        self._files = PolledPaths(objects, self._bytecode, self._values, references)
        self._own = OwnObjects(python, self._values)
        self._looked = PolledObjects(objects, codes, mentions, self._values, self._containers)
        self._variables = PolledVariables(objects, self._bytecode, mentions, self._values)
        self._changing = ChangingCode(codes, self._bytecode, mentions, self._values)
        self._comers = PolledComers(codes, self._bytecode, mentions, self._values, self._changing)
        self._counts = PolledCounts(
            codes, self._bytecode, self._looked, self._changing, self._comers
        )
        self._locks = PolledLocks(pid, objects, self._values)
        self._memory = PolledMemory(pid, objects)
        self._makers = PolledMakers(codes, self._bytecode, mentions, self._values, objects)

    def add(
        self, facts: Facts, tasks: Mapping[NodeId, tuple[Frame, ...]], asleep: Collection[int]
    ) -> None:
        """Add them, and what loops look at in threads that are not *asleep* (TIDs); *tasks*: the
        frames of each.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        stacks = {thread_id(self._pid, tid): one for tid, one in self._python.stacks.items()}
        awake = {node: one for node, one in stacks.items() if node.tid not in asleep}
        stacks.update(tasks)
        sleeping = list(islice(self._found(stacks), _MOST_POLLS))
        facts.waits += list(self._locks.waits(facts))
        slept = {loop.waiter for loop in sleeping}
        spinning = [one for one in self._spinning(awake) if one.waiter not in slept][:_MOST_POLLS]
        loops = [*sleeping, *spinning]
        if not loops:
            return
        wanted = frozenset(one for loop in loops for one in loop.looked)
        changes: dict[Looked, list[Change]] = {}
        coming: dict[NodeId, Mapping[Looked, str]] = {}
        with suppress(DamagedDataError), foreign_data():
            counts = self._changing.counts({name for _, name in wanted})
            for function in functions_of(stacks.values(), self._values, counts):
                self._collect(function, wanted, changes)
            coming = {node: self._comers.of(stack, wanted) for node, stack in stacks.items()}
        facts.polled += (self._told(loop, changes, coming, stacks) for loop in sleeping)
        facts.spinning += (self._told(loop, changes, coming, stacks) for loop in spinning)

    def _found(self, stacks: Mapping[NodeId, Sequence[Frame]]) -> Iterator[_Loop]:
        for node, frames in stacks.items():
            with suppress(DamagedDataError), foreign_data():
                if not frames:
                    continue
                frame, mentions = self._python.loops.looks_at(frames, node.kind)
                waits = self._counts.others(mentions, frame, frames)
                loop = self._loop(node, frame, waits) if waits else None
                if loop is not None:
                    self._locks.note(node, frame, waits)
                    yield loop

    def _spinning(self, stacks: Mapping[NodeId, Sequence[Frame]]) -> Iterator[_Loop]:
        for node, frames in stacks.items():
            with suppress(DamagedDataError), foreign_data():
                frame, mentions = self._python.loops.spins_at(frames) if frames else (None, ())
                loop = self._loop(node, frame, mentions) if frame and mentions else None
                # A number or an iterator of its own it changes itself.
                if loop is not None and loop.looked:
                    yield loop

    def _loop(self, node: NodeId, frame: Frame, mentions: Iterable[Mention]) -> _Loop | None:
        """What these mentions, which the loop's end depends on, come to; None: to the clock."""
        by_end: dict[int, list[Mention]] = {}
        for one in mentions:
            by_end.setdefault(one.until, []).append(one)
        parts = [
            those
            for those in by_end.values()
            if not any(is_clock(one) or asks_type(one) for one in those)
            and not any(self._is_count(one, frame) for one in those)
            and not all(self._is_plain(one, frame) for one in those)
        ]
        telling = [[one for one in those if self._tells(one, frame)] for those in parts]
        made = [made for those in parts for one in those for made in self._made_of(one, frame)]
        every = [mention for those in parts for mention in those]
        if not (any(telling) or made) and all(
            self._variables.is_settled(one, frame) for one in every
        ):
            return None
        shown = telling if any(telling) or made else parts
        told = self._spelled(shown, frame) or self._spelled(parts if not made else (), frame)
        looked = frozenset(one for mention in every for one in self._looked.of(mention, frame))
        inner = [self._looked.by_methods(one, frame) for one in (*every, *made)]
        foreign = self._of_packages(looked, every)
        looked = looked.union(*(those for those, _ in inner))
        told = {**{f"{one.text(frame.code)}()": None for one in made}, **told}
        for one in every:
            if self._now.asks_itself(one, frame, node):
                told[f"{one.text(frame.code)}()"] = OWN_THREAD
        spelled = dict(islice(told.items(), _MOST_TOLD))
        if not told:
            return None
        # With a second condition, that may be what it waits for.
        file = self._files.of(parts[0], frame) if len(parts) == 1 else None
        until = self._files.ends_if(parts[0], frame) if file else None
        asks = next(filter(None, (self._own.behind(one, frame) for one in made)), None)
        methods = frozenset(code for _, code in inner)
        return _Loop(node, frame, spelled, looked, file, until, asks, foreign, methods)

    def _is_count(self, mention: Mention, frame: Frame) -> bool:
        """Whether it is a local variable that counts the turns: each sets it anew."""
        root = variable_of(mention)
        if root is None or not self._variables.stores(root, frame):
            return False
        origins = self._mentions.origins(frame.code, root.slot)
        return any(counts_turns(one) for those in origins or () for one in those)

    def _is_plain(self, mention: Mention, frame: Frame) -> bool:
        own = variable_of(mention)
        return own is not None and self._variables.plain(own, frame) is True

    def _of_packages(self, looked: Collection[Looked], every: Sequence[Mention]) -> bool:
        """Whether all of it are attributes of objects of packages."""
        owned = [owner for owner, name in looked if name]
        return len(owned) == len(every) and all(map(self._own.of_package, owned))

    def _spelled(self, parts: Iterable[list[Mention]], frame: Frame) -> dict[str, str | None]:
        """What the parts of a condition are called, with what each was."""
        return {
            text: self._now.shown(mention, frame) if mention else None
            for those in filter(None, parts)
            for text, mention in self._texts(those, frame.code)
        }

    def _made_of(self, mention: Mention, frame: Frame) -> list[Mention]:
        """Of a local variable that the loop looks at, and that has no other values: the methods
        whose results it is."""
        root = variable_of(mention)
        if root is None or not self._variables.stores(root, frame):
            return []  # it was made before the loop
        origins = self._mentions.origins(frame.code, root.slot) or []
        calls = [one for those in origins for one in those if one.name and one.called < one.until]
        return calls if len(calls) == len(origins) else []

    def _texts(
        self, mentions: Sequence[Mention], code: Code
    ) -> Iterator[tuple[str, Mention | None]]:
        reduced = self._reduced.text(mentions, code)
        return iter([(reduced, None)]) if reduced else texts(mentions, code)

    def _tells(self, mention: Mention, frame: Frame) -> bool:
        """Whether it is more than a plain value of its own, such as the key that is looked up."""
        expression = mention.receiver
        if mention.name or expression is None:
            return bool(mention.name)
        if expression.root is not Root.LOCAL or expression.attributes:
            return True
        if any(self._looked.of(mention, frame)):
            return True
        return self._variables.plain(expression, frame) is False

    def _collect(
        self, function: Function, wanted: Collection[Looked], changes: dict[Looked, list[Change]]
    ) -> None:
        """Which of *wanted* a function of the program changes."""
        with suppress(MemoryReadError):
            code = self._codes.code(function.code)
            if code.bare_name == _FIRST or not is_of_program(code.filename):
                return
            for looked, at in self._changing.in_function(function, code):
                if looked in wanted:
                    told = self._codes.place(code, at.offset)
                    changes.setdefault(looked, []).append(Change(code.address, at.start, told))

    def _told(
        self,
        loop: _Loop,
        changes: Mapping[Looked, Iterable[Change]],
        coming: Mapping[NodeId, Mapping[Looked, str]],
        stacks: Mapping[NodeId, Sequence[Frame]],
    ) -> Polled:
        """With who comes to such code, and what of it nobody runs."""
        changers: dict[NodeId, Changer] = {}
        for node, comes_to in coming.items():
            places = [place for looked, place in comes_to.items() if looked in loop.looked]
            if places and node != loop.waiter:
                changers[node] = Changer(node, places[0])
        written: list[str] = []
        inside: dict[str, str] = {}
        found = (one for looked in loop.looked for one in changes.get(looked, ()))
        for change in (one for one in found if one.code not in loop.methods):
            running = [
                (node, frame)
                for node, stack in stacks.items()
                for frame in stack
                if frame.code.address == change.code
            ]
            for node, frame in running:
                if node != loop.waiter and change.start in self._comers.ahead(frame):
                    changers.setdefault(node, Changer(node, change.place))
            comes = any(one.place == change.place for one in changers.values())
            if not running and not comes and change.place not in written:
                written.append(change.place)
            if running and not comes and self._is_past(change, running, loop):
                inside.setdefault(change.place.partition(" (")[0], change.place)
        where = clean(loop.frame.place, 120) if loop.frame.place else None
        those = tuple(changers.values())[:_MOST_TOLD]
        looks_at = tuple(clean(one, 80) for one in loop.looks_at)
        values = tuple(loop.looks_at.values())
        file = clean(loop.file, 1000) if loop.file else None
        there = self._files.is_there(loop.file) if loop.file else None
        if there is loop.until:
            there = None  # it came since the loop has asked, or goes on right now
        makers: tuple[str, ...] = ()
        with suppress(DamagedDataError), foreign_data():
            if loop.file and there is not None:
                every = stacks.values()
                makers = self._makers.of(loop.file, every, is_there=there, most=_MOST_TOLD)
        return Polled(
            loop.waiter,
            looks_at,
            where,
            those,
            tuple(written[:_MOST_TOLD]),
            file,
            there,
            values,
            loop.asks,
            loop.foreign,
            makers,
            tuple(islice(inside.values(), _MOST_TOLD)),
            *self._memory.of(loop.looked),
        )

    def _is_past(
        self, change: Change, running: Iterable[tuple[NodeId, Frame]], loop: _Loop
    ) -> bool:
        """Whether nobody but the one that looks runs that code, and it does not come there any
        more: what it changes itself once it goes on, or in each turn, ends no wait of its own."""
        return all(
            node == loop.waiter and change.start not in self._comers.ahead(frame)
            for node, frame in running
        )
