"""One row of the stacks in full: nothing cut."""

from collections.abc import Iterator

from rich.text import Text

from hangtui.model import NativeFrame, PythonFrame
from hangtui.tui.cells import wrap
from hangtui.tui.rows.stacks import Frames
from hangtui.tui.theme import HEADING


def frame_lines(frames: Frames | None, width: int) -> list[Text]:
    """The Python and the native frame of a row."""
    if frames is None:
        return []
    lines: list[Text] = []
    if frames.python is not None:
        lines += _python(frames.python, width)
    if frames.shares_eval:
        lines += _pair("runs in", "the C frame of the Python frame that it was called from", width)
    if frames.native is not None:
        if lines:
            lines.append(Text())
        lines += _native(frames.native, frames.number, width)
    if frames.folded:
        lines += _pair("folded", f"{frames.folded} interpreter frames; z shows them", width)
    return lines


def _python(frame: PythonFrame, width: int) -> Iterator[Text]:
    yield from _pair("Python", frame.function, width, HEADING)
    line = "" if frame.line is None else f":{frame.line}"
    yield from _pair("file", f"{frame.filename}{line}", width)


def _native(frame: NativeFrame, number: int, width: int) -> Iterator[Text]:
    yield from _pair(f"#{number}", frame.function or "no symbol", width, HEADING)
    if frame.file:
        line = "" if frame.line is None else f":{frame.line}"
        yield from _pair("file", f"{frame.file}{line}", width)
    if frame.module:
        yield from _pair("module", frame.module, width)
    if frame.package:
        yield from _pair("package", frame.package, width)
    offset = "" if frame.offset is None else f" (module + {frame.offset:#x})"
    yield from _pair("address", f"{frame.address:#x}{offset}", width)


def _pair(name: str, value: str, width: int, style: str = "") -> Iterator[Text]:
    label = f"{name:<8} "
    for number, line in enumerate(wrap(value, width, label)):
        text = Text(line)
        text.stylize(style, len(label))
        if number == 0:
            text.stylize("dim", 0, len(label))
        yield text
