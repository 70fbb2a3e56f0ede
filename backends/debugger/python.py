"""The variables of Python frames, read from memory."""

from collections.abc import Mapping

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.layouts import LayoutError
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.runtime import NotPythonError
from hangtui.backends.debugger.values import FULL, SHORT, Values
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.debugger import Variable, Variables
from hangtui.model import PythonFrame, TargetError, clean

_MAX_VARIABLES = 200


def variables(
    memory: Memory,
    images: Images,
    tids: Mapping[int, int],
    tid: int,
    place: tuple[int, PythonFrame],
    *,
    full: bool,
) -> Variables:
    """The locals of one frame: *place* is its index (0: innermost) and how the screen shows it.

    Raises:
        TargetError: the thread has gone on, or the interpreter cannot be read.
    """
    try:
        reader = PythonReader(memory, images, tids)
    except (NotPythonError, LayoutError, DamagedDataError) as error:
        raise TargetError(f"Python variables cannot be read: {clean(str(error), 200)}") from error
    index, shown = place
    frame = _same(reader.stacks.get(tid, ()), index, shown)
    values = Values(reader.objects, lambda ident: _thread_name(reader, ident))
    limits = FULL if full else SHORT
    found: list[Variable] = []
    for name, address in list(reader.frames.variables(frame).items())[:_MAX_VARIABLES]:
        found += values.variables(name, address, limits)
    note = "" if found else "no variables are bound"
    return Variables(f"Python locals of {clean(shown.function, 60)}", tuple(found), note)


def _same(frames: tuple[Frame, ...], index: int, shown: PythonFrame) -> Frame:
    """The frame that the screen shows, in the stack as it is now."""
    if index < len(frames):
        frame = frames[index]
        now = frame.shown()
        if (now.function, now.filename) == (shown.function, shown.filename):
            return frame
    raise TargetError("the thread has gone on since the capture", "r takes a new capture")


def _thread_name(reader: PythonReader, ident: int) -> str:
    tid = reader.idents.get(ident)
    if tid is None:
        return f"ident {ident:#x}"
    return clean(reader.names.get(tid) or f"TID {tid}", 60)
