"""What vLLM's processes have of the rings of messages between them, and of their scheduler.

A ring is a piece of shared memory with room for some messages. Behind these lies a record of bytes
for each: whether it is written, and of each reader whether that has taken it. Both ends keep the
number of the message that is next. It is read where the process has it mapped, as all its memory
is; numbers that lead out of that are none.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.changing_code import is_of_program
from hangtui.backends.cpython.engines.ends import OWN_RINGS, RING_MODULE, RINGS, SCHEDULERS, Place
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import RingEnd, Scheduler, clean

_QUEUE, _MAPPING, _NOT_PAUSED = "MessageQueue", "mmap.mmap", 0
_MOST_MESSAGES, _MOST_READERS, _MOST_NAME = 1024, 1024, 60
_MOST_FRAMES, _MOST_HELD = 500, 200
_MOST_REQUESTS, _MOST_STATES = 2000, 8


def add_engines(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add what a process has of both.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    reader = _Engines(pid, python)
    facts.ring_ends += {one.ring: one for one in reader.rings()}.values()
    facts.schedulers += reader.schedulers()


class _Engines:
    """Reads it of one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._objects = python.objects
        self._containers = Containers(python.objects, python.codes)

    def rings(self) -> Iterator[RingEnd]:
        """The ends of rings that its functions have."""
        for queue in self._own_queues():
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                if (end := self._end(queue)) is not None:
                    yield end
        for place, frame, queue in self._found(RINGS):
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                end = self._end(queue)
                if end is not None:
                    yield replace(end, asked=self._asked(place, frame))

    def _own_queues(self) -> list[int]:
        """The rings of a program that uses them itself: in variables of its functions, in
        attributes of their objects, and where it waits."""
        if not self._python.module(RING_MODULE):
            return []
        frames = [frame for stack in self._python.stacks.values() for frame in stack]
        held = dict.fromkeys(
            value
            for frame in frames[:_MOST_FRAMES]
            if not frame.installed and is_of_program(frame.code.filename)
            for value in self._python.frames.variables(frame).values()
            if value
        )
        kept = [one for value in islice(held, _MOST_HELD) for one in self._in(value)]
        return list(dict.fromkeys((*kept, *(queue for _, _, queue in self._found(OWN_RINGS)))))

    def _in(self, value: int) -> list[int]:
        """A ring, or those that an object has in attributes."""
        if self._objects.kind(value) == _QUEUE:
            return [value]
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            parts = islice(self._objects.attributes(value).values(), _MOST_HELD)
            return [one for one in parts if one and self._objects.kind(one) == _QUEUE]
        return []

    def schedulers(self) -> Iterator[Scheduler]:
        """The scheduler of an engine."""
        for _, _, scheduler in self._found(SCHEDULERS):
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                parts = self._objects.attributes(scheduler)
                state = parts.get("_pause_state", 0)
                requests = self._containers.dict_size(parts.get("requests", 0))
                paused = self._objects.integer(state) != _NOT_PAUSED
                word = self._objects.attributes(state).get("_name_", 0) if paused else 0
                name = clean(self._objects.text(word), _MOST_NAME) if word else "paused"
                states = self._states(parts.get("requests", 0))
                yield Scheduler(self._pid, name if paused else None, requests, states)

    def _states(self, requests: int) -> tuple[tuple[str, int], ...]:
        """In which states the requests are, the most frequent first."""
        found = Counter[str]()
        with suppress(DamagedDataError, MemoryReadError):
            for number, (_, request) in enumerate(self._objects.items(requests)):
                state = self._objects.attributes(request).get("status", 0)
                word = self._objects.attributes(state).get("_name_", 0) if state else 0
                if not word or number >= _MOST_REQUESTS:
                    return ()
                found[clean(self._objects.text(word), _MOST_NAME)] += 1
            return tuple(found.most_common(_MOST_STATES))
        return ()

    def _found(self, places: Sequence[Place]) -> Iterator[tuple[Place, Frame, int]]:
        """What is at those places, in the frames that are there."""
        for frames in self._python.stacks.values():
            for frame in frames:
                for place in places:
                    if _runs(frame, place) and (found := self._at(frame, place)):
                        yield place, frame, found

    def _at(self, frame: Frame, place: Place) -> int:
        first, *others = place.path
        found = self._python.frames.variables(frame).get(first, 0)
        for name in others:
            found = self._objects.attributes(found).get(name, 0) if found else 0
        return found

    def _asked(self, place: Place, frame: Frame) -> str | None:
        """The command whose answer a function waits for, by its name."""
        if place.command is None:
            return None
        command = self._python.frames.variables(frame).get(place.command, 0)
        named = self._objects.kind(command) == "str"
        return clean(self._objects.text(command), _MOST_NAME) if named else ""

    def _end(self, queue: int) -> RingEnd | None:
        """None: it is no ring, or one whose messages go over a network."""
        if self._objects.kind(queue) != _QUEUE:
            return None
        own = self._objects.attributes(queue)
        ring = self._objects.attributes(own.get("buffer", 0))
        memory = self._objects.attributes(ring.get("shared_memory", 0))
        mapping = memory.get("_mmap", 0)
        writes = self._containers.true(own.get("_is_writer", 0))
        number = self._number(own, "current_idx", _MOST_MESSAGES)
        count = self._number(ring, "max_chunks", _MOST_MESSAGES)
        readers = self._number(ring, "n_reader", _MOST_READERS)
        own_number = 0 if writes else self._number(own, "local_reader_rank", _MOST_READERS)
        start = self._number(ring, "metadata_offset", 1 << 48)
        if self._objects.kind(mapping) != _MAPPING or number >= count or own_number >= readers:
            return None
        address, size = self._containers.field(mapping), self._containers.field(mapping, 1)
        length = count * (1 + readers)
        if not address or start + length > size:
            return None
        marks = self._objects.memory.read(address + start, length)
        records = [marks[i : i + 1 + readers] for i in range(0, length, 1 + readers)]
        following = records[number:] + records[:number]
        name = self._objects.text(memory.get("_name", 0)).lstrip("/")
        untaken = _not_taken_by_all(following) if writes else _untaken(following, 1 + own_number)
        named = clean(name, _MOST_NAME)
        return RingEnd(self._pid, named, writes, untaken, places=count, readers=readers)

    def _number(self, attributes: dict[str, int], name: str, most: int) -> int:
        """A count or an index.

        Raises:
            MemoryReadError: it is none.
        """
        number = self._containers.integer(attributes.get(name, 0))
        if number is None or not 0 <= number <= most:
            raise MemoryReadError(f"no {name}")
        return number


def _untaken(following: Sequence[bytes], reader: int) -> int:
    """How many messages lie there for a reader, from the one that it takes next."""
    for count, marks in enumerate(following):
        if not marks[0] or marks[reader]:
            return count
    return len(following)


def _not_taken_by_all(following: Sequence[bytes]) -> int:
    """How many messages not all readers have taken, the last first: those before the next one."""
    for count, marks in enumerate(reversed(following)):
        if not marks[0] or all(marks[1:]):
            return count
    return len(following)


def _runs(frame: Frame, place: Place) -> bool:
    return frame.code.bare_name == place.function and frame.code.filename.endswith(place.file)
