"""Threads inside the driver of a GPU: who waits there for its work, for how long in one call, and
which of the driver's own threads have called back into the program."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from hangtui.analysis.frame_classifier import asks_peers, short_name
from hangtui.findings.stack_queries import stood_s
from hangtui.findings.thresholds import BUSY_SHARE, STILL_S
from hangtui.findings.words import Words
from hangtui.model import NativeFrame, Process, Thread

_DRIVER = re.compile(r"lib(cuda|cudart|nccl|nvidia-\w++|amdhip64|hsa-runtime64|rccl)[-.\w]*")
_WAITS = re.compile(
    r"(?:cu|hip|nccl|hsa_)(?=\w*(?:Synchronize|Wait|Query|Memcpy))\w*+", re.IGNORECASE
)
_LIBC = re.compile(r"(?:libc|libpthread|libstdc\+\+|ld-musl)[-.][-.\w]*")


def driver_call(thread: Thread) -> NativeFrame | None:
    """The outermost call into the driver, which names what is waited for."""
    calls = _calls(thread)
    return calls[-1] if calls else None


def _calls(thread: Thread) -> list[NativeFrame]:
    """Those of functions that wait, innermost first: CUDA's runtime calls its driver."""
    frames = [frame for frame in thread.native_stack or () if _is_driver(frame.module)]
    return [f for f in frames if f.function and _WAITS.fullmatch(short_name(f))]


def polls(thread: Thread) -> bool:
    """Whether it asks again and again, as far as it gets a processor for that."""
    return thread.state == "R" and max(thread.busy or 0, thread.runnable or 0) >= BUSY_SHARE


def stays(thread: Thread, words: Words) -> bool:
    """Whether several looks found it in the same wait: a program that computes on a GPU waits for
    it all the time, for milliseconds."""
    return max(stood_s(thread, words), stayed_s(thread, words)) >= STILL_S


def stayed_s(thread: Thread, words: Words) -> float:
    """For how many seconds several looks saw it poll in one and the same call."""
    seen, calls = words.progress.get(thread.id), _calls(thread)
    return seen.lasted_s if seen and calls and seen.stays_in(calls[0].address) else 0.0


def in_nccl(process: Process) -> bool:
    """Whether NCCL is at work in the process: it has threads of its own there."""
    return any(map(asks_peers, process.threads))


def callbacks(process: Process) -> Iterator[Thread]:
    """The threads that the driver has started and that are now in the program's own code, as in a
    function that a stream is to call (``cuLaunchHostFunc``)."""
    for thread in process.threads:
        stack = thread.native_stack or ()
        outer = thread.native_complete and _begins_in_driver(reversed(stack))
        if outer and not _begins_in_driver(stack):
            yield thread


def _begins_in_driver(frames: Iterable[NativeFrame]) -> bool:
    """Whether the first of *frames* that is not the C library's is the driver's."""
    return _is_driver(next((one.module for one in frames if not _is_libc(one.module)), None))


@lru_cache(1024)
def _is_driver(path: str | None) -> bool:
    return _DRIVER.fullmatch((path or "").rpartition("/")[2]) is not None


@lru_cache(1024)
def _is_libc(path: str | None) -> bool:
    return _LIBC.fullmatch((path or "").rpartition("/")[2]) is not None
