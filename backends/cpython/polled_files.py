"""Which files threads ask for again and again: lock files, of which the kernel knows no wait.

``flock(LOCK_NB)`` that fails and ``open(O_EXCL)`` or ``mkdir`` that finds the file there come back
at once. A thread that sleeps, whose code comes to one of these if it goes on, and whose variables
name the file, waits for it by polling. That is an inference, always.
"""

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.open_files import OpenFiles
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.time_limits import unlimited
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.ipc.channel_calls import SLEEPS
from hangtui.backends.ipc.peer import FileUse, PolledFile
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.procfs.thread_syscall import BlockedThread

_WATCHES: Mapping[str, int] = {"poll": 1, "select": 0, "pselect6": 0, "ppoll": 1}
"""Which argument says how many descriptors; none is a sleep."""
_ASKING = frozenset({"flock", "lockf", "O_EXCL"})
_LOCKS = frozenset({"flock", "lockf"})
"""Those that are given a file which is open."""
_MAKING = frozenset({"mkdir", "link", "symlink"})
"""Functions of ``os`` that fail where there is something of that name."""
_FRAMES, _DEPTH, _MAX_FUNCTIONS = 12, 5, 500
_STEPS = 2
"""From a variable to the path: ``self``, its settings, the path."""
_USED_STEPS = 4
"""From a manager to the same, which is looked for only where a thread waits for that very file."""
_LOCAL, _LOCAL_SIZE = "_thread._local", 96
"""What ``threading.local`` is made of: its name, and at most so many bytes."""
_MAX_PATHS, _MAX_STACKS = 20, 200
_MAX_TEXT = 1000
"""Longer strings are read in part, which is another file's name."""


class PolledFiles:
    """Finds them in one process."""

    def __init__(self, python: PythonReader, asleep: Mapping[int, BlockedThread]) -> None:
        self._python = python
        self._asleep = asleep
        objects = python.objects
        self._objects = objects
        self._containers = containers = Containers(objects, python.codes)
        self._files = OpenFiles(objects, containers)
        self._mentions = Mentions(
            Bytecode(objects.layout.version, objects.memory.spent), objects.memory.spent
        )
        self._values = Values(objects, python.frames, python.references, containers)
        self._known: dict[tuple[int, int], frozenset[str]] = {}
        self._left = _MAX_FUNCTIONS
        self._asking: dict[int, int] = {}
        """By TID of one that polls: the frame of the application which it does that for."""

    def polled(self) -> list[PolledFile]:
        """What threads that sleep for a while are about to ask for again. Never raises."""
        found: list[PolledFile] = []
        spent = self._objects.memory.spent
        for tid, where in list(self._asleep.items()):
            frames = self._python.stacks.get(tid, ())
            if not frames or not _pauses(where):
                continue
            with suppress(BudgetSpentError, DamagedDataError), spent.clock(), foreign_data():
                one = self._of(tid, frames)
                found += [one] if one is not None else []
        return found

    def _of(self, tid: int, frames: Sequence[Frame]) -> PolledFile | None:
        for index, frame in enumerate(frames[:_FRAMES]):
            names = self._ahead(frame)
            if names:
                inside = frames[: index + 1]
                paths = dict.fromkeys(path for one in inside for path in self._paths(one))
                outer = (i for i, one in enumerate(frames) if of_application(one))
                self._asking[tid] = begin = next(outer, index + 1)
                own = frames[begin] if begin < len(frames) else frame
                never = begin > 0 and unlimited(frames[:begin], self._python.frames, self._objects)
                fds = dict.fromkeys(fd for one in inside for fd in self._descriptors(one))
                given = tuple(paths)[:_MAX_PATHS], names, own.place, never
                return PolledFile(tid, *given, tuple(fds)[:_MAX_PATHS] if names & _LOCKS else ())
            if of_application(frame):
                return None  # what called it has to do with something else
        return None

    def uses(self, paths: Collection[str]) -> list[FileUse]:
        """The threads that are inside of a ``with`` whose manager names one of *paths*. Never
        raises."""
        found: list[FileUse] = []
        spent = self._objects.memory.spent
        with suppress(BudgetSpentError, DamagedDataError), spent.clock(), foreign_data():
            found += self._using(frozenset(paths))
        return found

    def _using(self, paths: Collection[str]) -> Iterator[FileUse]:
        for tid, frames in list(self._python.stacks.items())[:_MAX_STACKS]:
            begin = self._asking.get(tid, 0)
            for index, frame in enumerate(frames[begin:], begin):
                own = next(filter(of_application, frames[index:]), frame)
                for one in self._python.references.entered(frame):
                    line = one.line if own is frame else own.line
                    name = own.code.filename.rpartition("/")[2]
                    named = set(self._within(one.address, _USED_STEPS))
                    for path in paths:
                        if path in named:
                            yield FileUse(tid, path, f"{name}:{line}", own.code.bare_name)

    # -- the code ------------------------------------------------------------------------------

    def _ahead(self, frame: Frame) -> frozenset[str]:
        """Which ways to ask for a file the frame comes to if it goes on."""
        ahead = self._mentions.ahead(frame.code, frame.instruction)
        scope = self._values.frame(frame)
        return self._reached(ahead.mentions, scope, ahead.stored, 0)

    def _reached(
        self, mentions: Sequence[Mention], scope: Scope, stored: Collection[int], depth: int
    ) -> frozenset[str]:
        found: set[str] = set()
        for mention in mentions:
            found |= _asked(mention)
            receiver = mention.receiver
            if depth >= _DEPTH or receiver is None:
                continue
            if receiver.root is Root.LOCAL and receiver.slot in stored:
                continue
            value = self._values.of(receiver, scope)
            if value is None:
                continue
            found |= _ASKING & {self._values.builtin(value, mention.name)}
            function = self._values.called(value, mention.name)
            if function is not None:
                found |= self._inside(function.code, function.bound, function.address, depth + 1)
        return frozenset(found)

    def _inside(self, code: int, bound: int, address: int, depth: int) -> frozenset[str]:
        key = code, bound
        if key not in self._known:
            self._known[key] = frozenset()  # while it is looked into: functions call themselves
            self._left -= 1
            if self._left >= 0:
                self._known[key] = self._look_into(code, bound, address, depth)
        return self._known[key]

    def _look_into(self, code: int, bound: int, address: int, depth: int) -> frozenset[str]:
        try:
            read = self._python.codes.code(code)
            scope = self._values.call(Function(address, code, bound), read.variables)
            return self._reached(self._mentions.of(read), scope, (), depth)
        except MemoryReadError:
            return frozenset()

    # -- the names of files --------------------------------------------------------------------

    def _paths(self, frame: Frame) -> Iterator[str]:
        for value in dict.fromkeys(self._python.frames.variables(frame).values()):
            yield from self._within(value)

    def _descriptors(self, frame: Frame) -> Iterator[int]:
        """Of the files that a frame's variables have open, or what may be one."""
        for value in dict.fromkeys(self._python.frames.variables(frame).values()):
            number = self._containers.integer(value)
            if number is not None:
                yield number
                continue
            for _, address in self._python.references.walk(value, _STEPS):
                found = self._files.descriptor(address)
                if found is not None and found[1]:
                    yield found[0]

    def _within(self, start: int, steps: int = _STEPS) -> Iterator[str]:
        for _, address in self._python.references.walk(start, steps):
            if (kind := self._objects.kind(address)) in ("str", "bytes"):
                text = self._objects.text(address) if kind == "str" else self._decoded(address)
                if "/" in text and len(text) < _MAX_TEXT and "\0" not in text:
                    yield posixpath.normpath(text)
            elif _LOCAL in self._containers.classes(address):
                for inner in self._of_threads(address):
                    yield from self._within(inner, 1)

    def _decoded(self, address: int) -> str:
        """A ``bytes``, which names a file as well; empty for one that is too long."""
        if not 0 < self._objects.size(address) < _MAX_TEXT:
            return ""
        return self._objects.data(address).decode("utf-8", "replace")

    def _of_threads(self, local: int) -> Iterator[int]:
        """The dicts of a ``threading.local``, which its class hides: what it was made with, and
        what each thread has in it."""
        size = self._objects.memory.u64(
            self._objects.type_of(local) + self._objects.layout["type.tp_basicsize"]
        )
        for word in self._objects.memory.words(local + 16, min(size, _LOCAL_SIZE) // 8 - 2):
            if self._objects.kind(word) == "dict":
                yield word


def _pauses(where: BlockedThread) -> bool:
    """Whether it waits for nothing but the clock."""
    if where.call in SLEEPS:
        return True
    counted = _WATCHES.get(where.call)
    return counted is not None and len(where.arguments) > counted and not where.arguments[counted]


def _asked(mention: Mention) -> frozenset[str]:
    parts = {mention.name}
    if mention.receiver is not None:
        parts |= {mention.receiver.name, *mention.receiver.attributes}
    making = mention.receiver is not None and mention.receiver.name == "os"
    return frozenset(parts & (_ASKING | _MAKING if making else _ASKING))
