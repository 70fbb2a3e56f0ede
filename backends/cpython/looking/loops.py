"""Which threads and tasks go round in a loop that sleeps, or waits with a timeout, and do nothing
else but look whether something has changed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Instruction
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.code_loops import Loop
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.library_sleeps import awaited_sleep, switched_sleep
from hangtui.backends.cpython.looking.items import (
    EMPTY,
    NULL,
    TIME_OVER,
    DoesMoreError,
    Item,
    concrete,
)
from hangtui.backends.cpython.looking.machine import Machine
from hangtui.backends.cpython.looking.state import Run, State
from hangtui.backends.cpython.open_files import OpenFiles
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Looking, NodeId, thread_id

_THREADING = "/threading.py"
_GIVEN: Mapping[str, bool | None] = {"wait": False, "acquire": False, "join": None}
"""What these methods return once their time is over."""
_MOST_LOOPS, _MOST_ROUNDS = 50, 6
_WAITS_FOR = "wait_for"
_ONLY_WAIT = frozenset({("wait", "locks.py"), ("get", "queues.py"), ("acquire", "locks.py")})
"""Coroutines of asyncio's, with their files, that do nothing before they wait."""


class _Sleep(NamedTuple):
    """Where a loop sleeps."""

    frame: Frame
    given: bool | None
    """What its call makes of it in the end."""
    awaited: bool
    raises: Item | None = None
    """What is raised once its time is over; None: nothing is."""
    called: str = ""
    """How what raises it is called."""


class LookingLoops:
    """Finds them in one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        objects = python.objects
        codes = CodeReader(objects)
        references = References(objects, python.frames, python.blocks, codes)
        self._pid = pid
        self._codes = codes
        self._python = python
        self._bytecode = Bytecode(objects.layout.version, objects.memory.spent)
        self._mentions = Mentions(self._bytecode, objects.memory.spent)
        containers = Containers(objects, codes)
        self._values = Values(objects, python.frames, references, containers)
        prints = _prints(python, OpenFiles(objects, containers))
        self._machine = Machine(
            objects, codes, self._bytecode, self._values, containers, prints=prints
        )
        self._version = objects.layout.version

    def add(self, facts: Facts, tasks: Mapping[NodeId, tuple[Frame, ...]]) -> None:
        """Add them; *tasks*: the frames of each.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        stacks = {thread_id(self._pid, tid): one for tid, one in self._python.stacks.items()}
        found = [(node, one) for node, frames in stacks.items() if (one := self._slept(frames))]
        awaits = self._with_helpers(tasks)
        found += [(node, one) for node, frames in awaits if (one := _awaits(frames))]
        for node, sleep in found[:_MOST_LOOPS]:
            with suppress(DamagedDataError, MemoryReadError, DoesMoreError), foreign_data():
                looking = self._looking(node, sleep)
                if looking is not None:
                    facts.looking.append(looking)

    def _with_helpers(
        self, tasks: Mapping[NodeId, tuple[Frame, ...]]
    ) -> Iterator[tuple[NodeId, tuple[Frame, ...]]]:
        """*tasks*; up to CPython 3.11 ``wait_for`` has another task wait, whose frame is told there
        as from 3.12 on."""
        inner = {node.address: frames for node, frames in tasks.items()}
        for node, frames in tasks.items():
            whole = frames
            if self._version < (3, 12, 0) and frames and _limits(frames[0].code):
                with suppress(DamagedDataError, MemoryReadError), foreign_data():
                    helper = self._python.frames.variables(frames[0]).get("fut", 0)
                    whole = (*inner.get(helper, ()), *frames)
            yield node, whole if _waits_for(whole) else frames

    def _slept(self, frames: Sequence[Frame]) -> _Sleep | None:
        """Where a thread sleeps."""
        inner = next((i for i, one in enumerate(frames) if not _is_threading(one)), 0)
        if inner and inner + 1 < len(frames) and _takes_item(frames[inner]):
            return _Sleep(frames[inner + 1], None, awaited=False, raises=EMPTY, called="get")
        if inner:
            given = _GIVEN.get(frames[inner - 1].code.bare_name, True)
            return None if given is True else _Sleep(frames[inner], given, awaited=False)
        if not frames or not self._calls_sleep(frames[0]):
            return None
        return _Sleep(frames[0], None, awaited=False)

    def _calls_sleep(self, frame: Frame) -> bool:
        if "sleep" not in frame.code.names:
            return False
        with suppress(DamagedDataError), foreign_data():
            here = self._python.loops.loop(frame).here
            return any(
                one.start < here <= one.called < one.until
                and "sleep" in (one.name, one.receiver.name if one.receiver else "")
                for one in self._mentions.of(frame.code)
            )
        return False

    def _looking(self, node: NodeId, sleep: _Sleep) -> Looking | None:
        frame = sleep.frame
        if not self._bytecode.is_known(frame.code):
            return None
        loops = self._python.loops
        loop = loops.handled_loop(frame) if sleep.raises else loops.loop(frame)
        slots: dict[int, Item] = {}
        alters: set[str] = set()
        first = not loop.inside
        if first:
            again = self._second_turn(frame, loop.here, sleep)
            if again is None:
                return None
            loop, slots, alters = again
        begin = self._behind(frame.code, loop.here, sleep)
        if begin is None:
            return None
        start, stack = begin
        scope = self._values.frame(frame)
        for _ in range(_MOST_ROUNDS):
            self._machine.begin(alters)
            until = self._asked_at(frame, sleep.called) if sleep.raises else loop.here
            run = Run(frame.code, scope, until, loop.inside)
            self._machine.go(run, start, State(stack, slots))
            changed = self._carried(run, slots)
            if changed == slots and self._machine.alters == alters:
                known = run.ends and not (first and run.leaves)
                asks, tells = self._machine.asks_children, self._machine.tells
                found = Looking(node, not run.leaves, bool(alters), asks, tells)
                return found if known else None
            slots, alters = changed, set(self._machine.alters)
        return None

    def _second_turn(
        self, frame: Frame, here: int, sleep: _Sleep
    ) -> tuple[Loop, dict[int, Item], set[str]] | None:
        """The loop that a frame comes to for sure which stands in a copy of its first turn, as
        compilers put it before the loop; with the variables and attributes that have changed by
        then."""
        begin = self._behind(frame.code, here, sleep)
        line = self._codes.line(frame.code, here)
        for one in self._bytecode.instructions(frame.code) if begin else ():
            same = one.start > here and self._codes.line(frame.code, one.offset) == line
            if not (same and one.name.startswith("CALL")):
                continue
            loop = self._python.loops.loop(replace(frame, instruction=one.offset))
            if begin is None or not loop.inside:
                continue
            self._machine.begin(())
            run = Run(frame.code, self._values.frame(frame), loop.here)
            self._machine.go(run, begin[0], State(begin[1], {}))
            if run.ends and not run.leaves:
                return loop, self._carried(run, {}), set(self._machine.alters)
        return None

    def _carried(self, run: Run, slots: Mapping[int, Item]) -> dict[int, Item]:
        """The local variables that have another value once the loop was gone through."""
        found = dict(slots)
        for end in run.ends:
            for slot, item in end.items():
                address = run.scope.slots.get(slot, 0)
                if not (item.address and item.address == address):
                    found[slot] = Item(plain=item.plain, changes=True)
        return found

    def _behind(self, code: Code, here: int, sleep: _Sleep) -> tuple[int, tuple[Item, ...]] | None:
        """Where the loop goes on after the sleep, and what lies on the stack then."""
        instructions = self._bytecode.instructions(code)
        given = concrete(sleep.given)
        if sleep.raises:
            sends = [one for one in instructions if one.name == "SEND" and one.start <= here]
            at = sends[-1].offset if sends and sleep.awaited else here
            handlers = (one.target for one in code.handlers if one.start <= at < one.end)
            target = next(handlers, None)
            return None if target is None else (target, (sleep.raises,))
        if not sleep.awaited:
            called = next((one for one in instructions if one.start == here), None)
            return (called.end, (given,)) if called and called.name.startswith("CALL") else None
        if self._version < (3, 11, 0):
            yields = (one.end for one in instructions if _is(one, "YIELD_FROM", here))
            end = next(yields, None)
            return None if end is None else (end, (given,))
        sends = [one for one in instructions if one.name == "SEND" and one.start <= here]
        if not sends:
            return None
        _, done = self._bytecode.following(sends[-1])
        return done, (NULL, given) if self._version >= (3, 12, 0) else (given,)

    def _asked_at(self, frame: Frame, called: str) -> int | None:
        """Where it begins to make the call that it stands in; None: it is not known."""
        here = self._python.loops.loop(frame).here
        mentions = self._mentions.of(frame.code)
        names = ((one.start, {one.name, one.text(frame.code)}) for one in mentions)
        return max((at for at, known in names if at < here and called in known), default=None)


def _prints(python: PythonReader, files: OpenFiles) -> bool:
    """Whether standard output is a file or a pipe, and no object that does more with it."""
    stdout = python.module("sys").get("stdout", 0)
    with suppress(DamagedDataError, MemoryReadError), foreign_data():
        found = files.descriptor(stdout) if stdout else None
        return found is not None and found[1]
    return False


def _is(one: Instruction, name: str, since: int) -> bool:
    return one.name == name and one.start >= since


def _is_threading(frame: Frame) -> bool:
    return frame.code.filename.endswith(_THREADING)


def _takes_item(frame: Frame) -> bool:
    """Whether it takes an item from a queue of the standard library's."""
    return frame.code.bare_name == "get" and frame.code.filename.endswith("/queue.py")


def _awaits(frames: Sequence[Frame]) -> _Sleep | None:
    """Where a task sleeps, or a greenlet."""
    asleep, switched = awaited_sleep(frames), switched_sleep(frames)
    below = frames[asleep or switched :]
    if not below:
        return None
    if len(below) == len(frames):
        timed = _waits_for(frames)
        return (
            _Sleep(frames[2], None, awaited=True, raises=TIME_OVER, called=_WAITS_FOR)
            if timed
            else None
        )
    return _Sleep(below[0], None, awaited=bool(asleep))


def _limits(code: Code) -> bool:
    return code.bare_name == _WAITS_FOR and code.filename.endswith("/asyncio/tasks.py")


def _waits_for(frames: Sequence[Frame]) -> bool:
    """Whether a task waits, for so long at most, in a method of asyncio's that only waits."""
    if len(frames) < 3:
        return False
    method, limit = frames[0].code, frames[1].code
    return (
        _limits(limit)
        and (method.bare_name, method.filename.rpartition("/asyncio/")[2]) in _ONLY_WAIT
    )
