"""Tracebacks of exceptions that something keeps: the frames that one was raised in, with what their
variables were when it left them."""

from dataclasses import replace

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

_MOST = 50
"""Frames of one traceback."""
_MOST_CLASSES = 20
_FILE_NAMES, _MOST_PATH = 48, 300
"""Of `OSError`, from where every exception has its traceback on (Include/cpython/pyerrors.h)."""
_NEXT, _FRAME, _LAST, _LINE = 0, 8, 16, 20
"""PyTracebackObject behind its head (Include/cpython/traceback.h)."""


class Tracebacks:
    """Reads exceptions of one interpreter."""

    def __init__(self, objects: Objects, frames: Frames, codes: CodeReader) -> None:
        self._objects = objects
        self._frames = frames
        self._codes = codes

    def error(self, exception: int) -> str | None:
        """The type of an exception: ``OSError``, ``app.Refused``; None: it is none. Never
        raises."""
        objects, layout, memory = self._objects, self._objects.layout, self._objects.memory
        try:
            order = memory.u64(objects.type_of(exception) + layout["type.tp_mro"])
            for base in objects.tuple_items(order)[-_MOST_CLASSES:] if order else ():
                if memory.c_string(memory.u64(base + layout["type.tp_name"]), 100) == (
                    "BaseException"
                ):
                    return clean(objects.qualified_type(exception), 100)
        except MemoryReadError:
            pass
        return None

    def frames(self, exception: int) -> tuple[Frame, ...]:
        """The frames that it went through, innermost first, each on the line where it did.

        Raises:
            MemoryReadError: memory is not what the layout promises.
            BudgetSpentError: too many objects of this process were read.
        """
        layout, memory = self._objects.layout, self._objects.memory
        here = memory.u64(self._at(exception))
        found: list[Frame] = []
        while len(found) < _MOST and self._objects.kind(here) == "traceback":
            memory.spent.objects(1)
            at = here + layout.header
            frame = self._frames.of_object(memory.u64(at + _FRAME))
            found.append(replace(frame, line=self._line(frame, at)))
            here = memory.u64(at + _NEXT)
        return tuple(reversed(found))

    def _at(self, exception: int) -> int:
        """PyBaseExceptionObject: dict, args, from 3.11 on notes, then the traceback."""
        layout = self._objects.layout
        return exception + layout.header + (24 if layout.since(3, 11) else 16)

    def before(self, exception: int) -> int:
        """The exception that it was raised from, or else while that was handled; 0: none.

        Raises:
            MemoryReadError: memory is not what the layout promises.
        """
        context, cause = self._objects.memory.words(self._at(exception) + 8, 2)
        return cause or context

    def file(self, exception: int) -> str | None:
        """The file that an `OSError` is about, the second one of two; None: it names none.

        Raises:
            MemoryReadError: memory is not what the layout promises.
        """
        names = self._objects.memory.words(self._at(exception) + _FILE_NAMES, 2)
        found = (one for one in reversed(names) if one and self._objects.kind(one) == "str")
        name = next(found, 0)
        return clean(self._objects.text(name), _MOST_PATH) if name else None

    def _line(self, frame: Frame, at: int) -> int | None:
        """Where it was raised, which from 3.12 on is worked out only if somebody asks for it."""
        line = self._objects.memory.i32(at + _LINE)
        if line > 0:
            return line
        return self._codes.line(frame.code, self._objects.memory.i32(at + _LAST))
