"""What a thread's state is called, the same on every screen, in reports and in the help."""

from collections.abc import Mapping

from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class StateWords:
    """The words for one state."""

    word: str
    """What a row shows: at most eight letters."""
    counted: str
    """What several of them do, after a number: ``3 waiting for a lock``."""
    meaning: str
    """A sentence about one, without its subject."""


STATE_WORDS: Mapping[ThreadState, StateWords] = {
    ThreadState.CRASH: StateWords("crashed", "crashed", "received the fatal signal"),
    ThreadState.DEADLOCK: StateWords("deadlock", "deadlocked", "is a member of a ring of waits"),
    ThreadState.LOCK: StateWords("waits", "waiting for a lock", "waits for what another one holds"),
    ThreadState.GIL: StateWords("waits", "waiting for the GIL", "waits for the GIL"),
    ThreadState.WAIT: StateWords(
        "waits", "waiting (event, thread or process)", "waits for something that nobody holds"
    ),
    ThreadState.DISK: StateWords(
        "disk",
        "in uninterruptible sleep (disk or driver)",
        "waits for a disk or a driver, and cannot be interrupted",
    ),
    ThreadState.IO: StateWords("waits", "waiting for I/O", "waits for input or output"),
    ThreadState.NATIVE: StateWords("runs C", "running native code", "runs C code"),
    ThreadState.GC: StateWords("collects", "collecting garbage", "collects garbage"),
    ThreadState.RUN: StateWords("runs", "running", "is on a CPU"),
    ThreadState.STOPPED: StateWords(
        "stopped", "stopped", "was stopped or is traced by somebody else"
    ),
    ThreadState.SLEEP: StateWords("sleeps", "asleep", "sleeps, or is an idle worker"),
    ThreadState.ZOMBIE: StateWords(
        "ended", "ended, not reaped", "has ended, but was not reaped by its parent"
    ),
    ThreadState.UNKNOWN: StateWords("unknown", "unknown", "could not be read"),
}
