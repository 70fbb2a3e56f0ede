"""Threads that ask SQLite again and again for a lock."""

from hangtui.analysis.frame_classifier import base_name, foreign_frame, module_name
from hangtui.findings.words import Words
from hangtui.model import DatabaseLock, Thread

BACKUP = "pysqlite_connection_backup"
"""`Connection.backup()`, which sleeps between two tries, and after a step that met a lock alone."""

LOCKING = frozenset(
    {
        *("sqlite3InvokeBusyHandler", "btreeBeginTrans", "sqlite3BtreeBeginTrans", "lockBtree"),
        *("pager_wait_on_lock", "sqlite3PagerSharedLock", "sqlite3PagerExclusiveLock"),
        "walBusyLock",
    }
)
"""Functions of SQLite that come by no code of anybody else's but the busy handler."""
_SLEEP = "sqlite3_sleep"


def sleeps_in_sqlite(thread: Thread) -> bool:
    """Whether it sleeps right below SQLite, which it does for nothing but a lock; or in a busy
    handler of the program's."""
    if thread.syscall is None or not thread.syscall.sleeps:
        return False
    frames = thread.native_stack or ()
    if not LOCKING.isdisjoint(map(base_name, frames)):
        return True
    first = next((frame for frame in frames if foreign_frame(frame)), None)
    if first is None or not module_name(first).startswith("libsqlite3"):
        return False
    return _between_tries(thread) or (
        not any(frame.function for frame in frames if frame.module == first.module)
    )


def _between_tries(thread: Thread) -> bool:
    """Whether it sleeps between two tries of a backup."""
    names = named_functions(thread)
    called = names[names.index(_SLEEP) + 1 :] if _SLEEP in names else []
    return bool(called) and called[0].startswith(BACKUP)


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
