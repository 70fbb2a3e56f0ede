"""What a package has asked another one for: the words of a wait whose future tells nothing."""

from collections.abc import Sequence

from hangtui.backends.cpython.aio.coroutines import Chain
from hangtui.backends.cpython.compiled import compiled_function
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
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
    outermost = package_of_file(run[-1]) if run else ""
    inner = [frame for frame in run if package_of_file(frame) != outermost]
    if not inner:
        return ""
    return f"{clean(inner[-1].code.function, 80)} of {package_of_file(inner[-1])}"


def below_compiled(objects: Objects, chain: Chain) -> str:
    """``Connection.connect of asyncmy``, where Cython has compiled the innermost coroutine, which
    has no frame; empty: it has one."""
    inner = [one.coroutine for one in chain.steps if one.outer == len(chain.frames)]
    names = (compiled_function(objects, one) for one in reversed(inner))
    return next(filter(None, names), "")


def package_of_file(frame: Frame) -> str:
    """``uvicorn``: where the code of an installed package's frame lies."""
    inside = frame.code.filename.rpartition("-packages/")[2]
    return clean(inside.partition("/")[0].removesuffix(".py"), 80)
