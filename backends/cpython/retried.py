"""Functions of the application that a package comes to call again which a thread or task waits in:
what is tried again and again.

The package's function has it in a variable of a usual name, and its code loads that further on.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bindings import Bindings
from hangtui.backends.cpython.bytecode import Bytecode, Root, reachable
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, installed_file, library_file
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import NodeId, Retried, clean, thread_id

_NAMES = frozenset({"fn", "f", "func", "function", "target", "call", "wrapped", "wrapped_f"})
_COUNTS = ("attempt_number", "attempt_num", "attempt", "retry_count", "try_number")
"""Variables, and attributes of what lies in one, that count how often it was called; not those
that say how often it may be."""
_MOST_STACKS, _MOST_FRAMES, _MOST_VARIABLES = 200, 8, 20
_MOST_OUTER = 60
_MOST_TIMES = 1 << 40
_STORES = ("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")


class RetriedCalls:
    """Finds them in one process."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        objects = python.objects
        self._pid = pid
        self._python = python
        self._objects = objects
        self._codes = codes = CodeReader(objects)
        self._bindings = Bindings(objects)
        self._bytecode = Bytecode(objects.layout.version, objects.memory.spent)
        references = References(objects, python.frames, python.blocks, codes)
        self._values = Values(objects, python.frames, references, Containers(objects, codes))

    def add(
        self, facts: Facts, tasks: Mapping[NodeId, tuple[Frame, ...]], asleep: Collection[int]
    ) -> None:
        """Add them, and those that threads which are not *asleep* (TIDs) are in themselves;
        *tasks*: the frames of each that is suspended.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        stacks = {thread_id(self._pid, tid): one for tid, one in self._python.stacks.items()}
        for node, frames in islice({**stacks, **tasks}.items(), _MOST_STACKS):
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                found = next(self._ahead(frames), None)
                if found is None and node.tid is not None and node.tid not in asleep:
                    found = next(self._around(frames), None)
                if found is not None:
                    facts.retried.append(self._told(node, frames, *found))

    def _told(self, node: NodeId, frames: Sequence[Frame], call: str, frame: Frame) -> Retried:
        outer = frames[list(frames).index(frame) :]
        loop = self._python.loops.loop(frame)
        once = loop.retries and all(map(self._binds, outer[1:]))
        inside = clean(frame.code.function, 80) if once else None
        bindings = self._bindings.of(outer) if once else None
        return Retried(node, call, self._times(frame), inside, bindings)

    def _binds(self, frame: Frame) -> bool:
        """Whether a frame of the program comes back to where it stands only with another value of
        one of its variables, or not at all."""
        if not of_application(frame):
            return True
        loop = self._python.loops.loop(frame)
        if not loop.repeats:
            return True
        stores = (one for one in self._bytecode.instructions(frame.code)
                  if one.name.startswith(_STORES))  # fmt: skip
        return any(one.start in loop.inside for one in stores)

    def _ahead(self, frames: Sequence[Frame]) -> Iterator[tuple[str, Frame]]:
        for frame in frames[:_MOST_FRAMES]:
            if of_application(frame):
                return
            yield from self._again(frame)

    def _around(self, frames: Sequence[Frame]) -> Iterator[tuple[str, Frame]]:
        """The same of a function of a package further out, which calls that again only if something
        was raised."""
        for frame in frames[:_MOST_OUTER]:
            if frame.installed and self._python.loops.loop(frame).retries:
                yield from self._again(frame)

    def _again(self, frame: Frame) -> Iterator[tuple[str, Frame]]:
        names = _NAMES.intersection(frame.code.variables) if frame.installed else ()
        for name in sorted(names):
            value = self._python.frames.variables(frame).get(name, 0)
            call = self._of_application(value) if value else None
            if call is not None and self._loads(frame, name):
                yield call, frame

    def _times(self, frame: Frame) -> int | None:
        """How often the function was called, if the frame's variables count that."""
        variables = self._python.frames.variables(frame)
        kept = [variables[name] for name in _COUNTS if name in variables]
        for value in islice(variables.values(), _MOST_VARIABLES):
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                attributes = self._objects.attributes(value)
                kept += [attributes[name] for name in _COUNTS if name in attributes]
        for value in kept:
            if self._objects.kind(value) == "int":
                times = self._objects.integer(value)
                if 0 < times < _MOST_TIMES:
                    return times
        return None

    def _of_application(self, value: int) -> str | None:
        function = self._values.function(value)
        code = self._codes.code(function.code) if function is not None else None
        if code is None or library_file(code.filename) or installed_file(code.filename):
            return None
        name = code.filename.rpartition("/")[2]
        return f"{clean(code.function, 80)} ({clean(name, 80)}:{code.first_line})"

    def _loads(self, frame: Frame, name: str) -> bool:
        """Whether its code comes to load a variable if it goes on."""
        code, slot = frame.code, frame.code.variables.index(name)
        here = max(
            (i.start for i in self._bytecode.instructions(code) if i.start <= frame.instruction),
            default=0,
        )
        ahead = reachable(self._bytecode.successors(code), here) - {here}
        loads = (self._bytecode.loaded(code, i) for i in self._bytecode.instructions(code)
                 if i.start in ahead)  # fmt: skip
        return any(one is not None and one.root is not Root.GLOBAL and one.slot == slot
                   for one in loads)  # fmt: skip
