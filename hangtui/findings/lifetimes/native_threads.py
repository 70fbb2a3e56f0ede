"""The native threads of a module, in a process and in the one that it was forked from."""

from collections.abc import Iterator

from hangtui.analysis.frame_classifier import foreign_frame, module_name
from hangtui.dataclass import dataclass
from hangtui.model import Capture, NativeFrame, Process, Thread

_LIBRARIES = ("libc.", "libc-", "libpthread", "ld-", "libstdc++", "libgcc", "libc++")


@dataclass(frozen=True, slots=True)
class Missing:
    """Threads of a native module that a fork left behind."""

    inside: NativeFrame
    """The innermost frame of the module, in the thread that waits."""
    parent: Process
    threads: tuple[Thread, ...]
    """Those of the parent."""


def missing_threads(capture: Capture, process: Process, waiting: Thread) -> Missing | None:
    """The native threads of the module in which a thread sleeps, if the process that this one was
    forked from has some, and this one has none, nor another thread inside that module."""
    around = process.around
    parent = capture.process(around.forked_from) if around and around.forked_from else None
    inside = _sleeps_in(waiting) if parent is not None else None
    if parent is None or inside is None or process.steady is False:
        return None
    others = [thread for thread in process.threads if thread is not waiting]
    if any(thread.native_stack is None or _runs(thread, inside) for thread in others):
        return None
    left = tuple(thread for thread in _natives(parent) if _runs(thread, inside))
    return Missing(inside, parent, left) if left else None


def _sleeps_in(thread: Thread) -> NativeFrame | None:
    """The innermost frame that is not of the C library, of an extension: what waits in a futex."""
    if thread.syscall is None or thread.syscall.name != "futex":
        return None
    for frame in thread.native_stack or ():
        if foreign_frame(frame):
            return frame
        if not module_name(frame).startswith(_LIBRARIES):
            return None
    return None


def _natives(process: Process) -> Iterator[Thread]:
    """The threads that the interpreter does not know."""
    return (thread for thread in process.threads if thread.is_python is False)


def _runs(thread: Thread, inside: NativeFrame) -> bool:
    """Whether it is in code of the same module."""
    return any(frame.module == inside.module for frame in thread.native_stack or ())
