"""Threads inside the driver of a GPU: who waits there for its work, for how long in one call, and
which of the driver's own threads have called back into the program."""

import re
from collections.abc import Iterator
from functools import lru_cache

from hangtui.analysis.frame_classifier import module_name, short_name
from hangtui.findings.stack_queries import stood_s
from hangtui.findings.thresholds import BUSY_SHARE, STILL_S
from hangtui.findings.words import Words
from hangtui.model import NativeFrame, Process, Thread

_DRIVER = re.compile(r"lib(cuda|cudart|nccl|nvidia-\w++|amdhip64|hsa-runtime64|rccl)[-.\w]*")
_WAITS = re.compile(
    r"(?:cu|hip|nccl|hsa_)(?=\w*(?:Synchronize|Wait|Query|Memcpy))\w*+", re.IGNORECASE
)
_LIBC = re.compile(r"(?:libc|libpthread|libstdc\+\+|ld-musl)[-.][-.\w]*")
_OUTERMOST = 4
"""Frames at the beginning of a thread among which its own function is."""


def driver_call(thread: Thread) -> NativeFrame | None:
    """The outermost call into the driver, which names what is waited for."""
    frames = [f for f in thread.native_stack or () if _is_driver(module_name(f))]
    waits = [f for f in frames if f.function and _WAITS.fullmatch(short_name(f))]
    return waits[-1] if waits else None


def polls(thread: Thread) -> bool:
    """Whether it asks again and again."""
    return thread.state == "R" and (thread.busy or 0) >= BUSY_SHARE


def stays(thread: Thread, call: NativeFrame, words: Words) -> bool:
    """Whether several looks found it in the same wait: a program that computes on a GPU waits for
    it all the time, for milliseconds."""
    if stood_s(thread, words) >= STILL_S:
        return True
    seen = words.progress.get(thread.id)
    return seen is not None and seen.lasted_s >= STILL_S and seen.stays_in(call.address)


def in_nccl(process: Process) -> bool:
    """Whether NCCL is at work in the process: it has threads of its own there."""
    return any(
        module_name(frame).startswith("libnccl.")
        for thread in process.threads
        for frame in (thread.native_stack or ())[-_OUTERMOST:]
    )


def callbacks(process: Process) -> Iterator[Thread]:
    """The threads that the driver has started and that are now in the program's own code, as in a
    function that a stream is to call (``cuLaunchHostFunc``)."""
    for thread in process.threads:
        frames = [f for f in thread.native_stack or () if not _LIBC.fullmatch(module_name(f))]
        if (
            thread.native_complete
            and frames
            and _is_driver(module_name(frames[-1]))
            and not _is_driver(module_name(frames[0]))
        ):
            yield thread


@lru_cache(1024)
def _is_driver(module: str) -> bool:
    return _DRIVER.fullmatch(module) is not None
