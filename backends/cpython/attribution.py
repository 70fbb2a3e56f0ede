"""Which thread of the kernel runs a PyThreadState, where what the state itself says is in doubt.

A state records the thread that made it. Code in a sub-interpreter can run on the maker's state in
another thread (3.12's ``run_string`` does), and a thread that is in several interpreters has
several states. Then the place of its frames on a C stack tells.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hangtui.backends.cpython.layouts import Layout
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass

_OWNED_BY_C_STACK = 3
"""FRAME_OWNED_BY_CSTACK, Include/internal/pycore_frame.h (3.13 on)."""
_MAX_FRAMES = 20_000
NOBODY = 0
"""The TID of a thread that is no more."""


@dataclass(frozen=True, slots=True)
class PythonThread:
    """A thread that the interpreter knows."""

    state: int
    """Address of its PyThreadState."""
    interpreter: int
    ident: int
    """``Thread.ident``, which is the pthread_t."""
    tid: int
    """As the capturing host numbers threads."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Which thread runs each state."""

    threads: list[PythonThread]
    """Newest first."""
    unknown: int = 0
    """How many states have frames of which it cannot be told in which thread they run."""


def settle(threads: Sequence[PythonThread], memory: Memory, layout: Layout) -> Settled:
    """*threads*, newest first, each state with the thread that runs it.

    Of states that claim the same thread and do not show where they run, only the oldest is kept:
    it is the one that the thread began with. Before 3.10 none of them shows it; where there is but
    one thread, it runs them all. A state with the TID `NOBODY` was made by a thread that is no
    more, or that was started since the threads were listed: of the main interpreter, the oldest, it
    is nobody else's.
    """
    main = threads[-1].interpreter if threads else 0
    claims = Counter(thread.tid for thread in threads)
    oldest = {thread.tid: thread for thread in threads}
    by_ident = {thread.ident: thread for thread in threads if thread.tid != NOBODY}
    alone = len(by_ident) == 1
    result, unknown = [], 0
    for thread in threads:
        lost = thread.tid == NOBODY
        doubted = lost or claims[thread.tid] > 1
        runner = _runner(thread, by_ident, memory, layout) if doubted else None
        if runner is not None:
            result.append(replace(thread, ident=runner.ident, tid=runner.tid))
        elif not lost and thread is oldest[thread.tid]:
            result.append(thread)
        elif _has_frames(thread.state, memory, layout):
            if alone and not lost:
                result.append(thread)
            elif not (lost and thread.interpreter == main):
                unknown += 1
    return Settled(result, unknown)


def _has_frames(state: int, memory: Memory, layout: Layout) -> bool:
    """Whether a state that does not show where it runs has frames: only those of old versions."""
    if layout.since(3, 10):
        return False  # it would show it
    try:
        return memory.u64(state + layout["tstate.frame"]) != 0
    except MemoryReadError:
        return False


def _runner(
    thread: PythonThread,
    by_ident: dict[int, PythonThread],
    memory: Memory,
    layout: Layout,
) -> PythonThread | None:
    """The thread on whose C stack a state's frames are; None: they are on nobody's."""
    try:
        place = _on_c_stack(thread.state, memory, layout)
    except MemoryReadError:
        return None
    stack = memory.mapping_at(place)
    if stack is None:
        return None
    if stack.path == "[stack]":
        return next((one for one in by_ident.values() if one.tid == memory.pid), None)
    # glibc and musl keep what a pthread_t points to at the upper end of the thread's stack.
    above = [ident for ident in by_ident if place < ident < stack.end]
    return by_ident[min(above)] if above else None


def _on_c_stack(state: int, memory: Memory, layout: Layout) -> int:
    """An address on the C stack that belongs to a state's innermost call; 0: not known."""
    if layout.since(3, 13):
        here = memory.u64(state + layout["tstate.current_frame"])
        for _ in range(_MAX_FRAMES):
            memory.spent.objects(1)
            if not here or memory.u8(here + layout["iframe.owner"]) >= _OWNED_BY_C_STACK:
                return here
            here = memory.u64(here + layout["iframe.previous"])
        return 0
    return memory.u64(state + layout["tstate.cframe"]) if layout.since(3, 10) else 0
