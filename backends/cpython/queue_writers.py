"""Threads that write an item of a ``multiprocessing.Queue`` into its pipe, and so have its lock.

The thread that feeds a queue takes the lock of its pipe with ``acquire()``, writes, and gives it
back. A plain lock of processes may be given back by any of them; but this one is the queue's own,
and nothing in the standard library gives it back but who took it, once the write has returned.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.lock_hold import LockHold
from hangtui.backends.cpython.locks import Lock
from hangtui.backends.cpython.managers import Managers
from hangtui.model import Certainty

_QUEUES, _CONNECTIONS = "/multiprocessing/queues.py", "/multiprocessing/connection.py"
_FEED, _WRITE, _LOCK = "_feed", "send_bytes", "writelock"


class QueueWriters:
    """Finds them in one interpreter."""

    def __init__(self, frames: Frames, managers: Managers) -> None:
        self._frames = frames
        self._managers = managers

    def having(
        self,
        lock: Lock,
        stacks: Mapping[int, tuple[Frame, ...]],
        lines: Mapping[int, int | None],
    ) -> Iterator[LockHold]:
        """Threads among *stacks* that write under *lock*; *lines*: where each TID took it."""
        text = "it writes an item of the queue into its pipe, under the queue's own lock"
        for tid, frames in stacks.items():
            for called, frame in pairwise(frames):
                writes = _is(called, _WRITE, _CONNECTIONS) and _is(frame, _FEED, _QUEUES)
                if writes and self._locks(frame) == {lock.address}:
                    yield LockHold(lock, tid, Certainty.PROVEN, text, frame, lines.get(tid))

    def _locks(self, frame: Frame) -> set[int]:
        found = self._frames.variables(frame).get(_LOCK, 0)
        return {one.lock.address for one in self._managers.locks(found)} if found else set()


def _is(frame: Frame, function: str, file: str) -> bool:
    return frame.code.bare_name == function and frame.code.filename.endswith(file)
