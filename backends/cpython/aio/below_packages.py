"""What a package has asked another one for: the words of a wait whose future tells nothing."""

from collections.abc import Sequence

from hangtui.backends.cpython.frames import Frame
from hangtui.model import clean


def below_package(frames: Sequence[Frame]) -> str:
    """``AsyncQueueProxy.join of culsans``, where a package that the program has called awaits that,
    whatever lies below; empty: the package awaits by itself, or none does. *frames*: innermost
    first."""
    run: list[Frame] = []
    for frame in frames:
        if frame.installed:
            run.append(frame)
        elif not frame.in_library:
            break
    outermost = _package(run[-1]) if run else ""
    inner = [frame for frame in run if _package(frame) != outermost]
    if not inner:
        return ""
    return f"{clean(inner[-1].code.function, 80)} of {_package(inner[-1])}"


def _package(frame: Frame) -> str:
    inside = frame.code.filename.rpartition("-packages/")[2]
    return clean(inside.partition("/")[0].removesuffix(".py"), 80)
