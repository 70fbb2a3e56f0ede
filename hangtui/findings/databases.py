"""Threads that ask SQLite again and again, without a timeout, for a lock of their own process."""

from hangtui.analysis.frame_classifier import base_name
from hangtui.findings.words import Words
from hangtui.model import DatabaseLock, Thread

BACKUP = "pysqlite_connection_backup"
"""`Connection.backup()`, which sleeps between two tries, and after a step that met a lock alone."""


def named_functions(thread: Thread) -> list[str]:
    """The native functions on its stack that have a name, innermost first."""
    return [base_name(frame) for frame in thread.native_stack or () if frame.function]


def backs_up(thread: Thread) -> bool:
    """Whether it makes a backup."""
    return any(name.startswith(BACKUP) for name in named_functions(thread))


def only_its_process(thread: Thread, locks: list[DatabaseLock]) -> bool:
    """Whether nobody but its own process has the lock, or has the file open."""
    own = {thread.pid}
    return bool(locks) and all({lock.pid, *lock.users} == own for lock in locks)


def copies_for_ever(thread: Thread, words: Words) -> bool:
    """Whether a backup never ends unless another thread of its process gives up a lock: on the only
    file that is locked, which nobody else has open. It has no timeout, and calls nothing of the
    program's in between."""
    locks = [one for one in words.capture.database_locks if thread.pid in one.users]
    uses = [one for one in words.capture.database_uses if one.thread == thread.id]
    plain = any(one.only_copies for one in uses) and len({one.path for one in locks}) == 1
    return plain and backs_up(thread) and only_its_process(thread, locks)
