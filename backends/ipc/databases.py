"""Who has a lock of SQLite on a database file, where a thread may sleep because it is locked.

SQLite asks for its locks again and again, with sleeps in between: no thread waits in the kernel.
The bytes that it locks are its own convention (https://sqlite.org/lockingv3.html).
"""

from collections.abc import Iterable
from collections.abc import Mapping as TidMapping

from hangtui.backends.ipc.channel_calls import SLEEPS
from hangtui.backends.ipc.file_lock import FileLock, held_lock
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.procfs.files import PROC, link, numbers, touch
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import DatabaseLock, clean

_PENDING, _RESERVED, _SHARED = 0x4000_0000, 0x4000_0001, 0x4000_0002
_SHARED_SIZE = 510
_WAL, _WAL_WRITE = "-shm", 120
"""The byte that is locked by who writes to a WAL."""
_MOST_FILES = 1024
_HAVE_IT = ("sqlite", "sqlcipher", "/apsw/")
"""Parts of the names of files that SQLite is in."""


def may_wait(mappings: Iterable[Mapping], asleep: TidMapping[int, BlockedThread]) -> bool:
    """Whether a thread of a process that uses SQLite sleeps."""
    sleeps = any(where.call in SLEEPS for where in asleep.values())
    return sleeps and any(part in mapping.path for mapping in mappings for part in _HAVE_IT)


def add(scene: Scene) -> None:
    """Add the locks on the database files that such processes have open."""
    opened: dict[str, list[int]] = {}
    for peer in scene.peers.values():
        if not may_wait(peer.memory.mappings, peer.asleep):
            continue
        for path in _files(peer.pid):
            opened.setdefault(path, []).append(peer.pid)
    if not opened:
        return
    found: dict[DatabaseLock, None] = {}
    for pid, fd, line in scene.descriptors.locks():
        known = held_lock(line)
        file = scene.descriptors.link(pid, fd) if known else None
        if known is None or file not in opened:
            continue
        writes = _writes(known[1], wal=file.endswith(_WAL))
        if writes is not None:
            path = clean(file.removesuffix(_WAL))
            found[DatabaseLock(path, pid, writes, tuple(opened[file]))] = None
    scene.facts.database_locks += found


def _writes(lock: FileLock, *, wal: bool) -> bool | None:
    """Whether it is the lock of a writer; None: it is none of SQLite's."""
    first = lock.span[0]
    if wal:
        return lock.writes if first == _WAL_WRITE else None
    if first in (_PENDING, _RESERVED):
        return True
    return lock.writes if _SHARED <= first < _SHARED + _SHARED_SIZE else None


def _files(pid: int) -> set[str]:
    """The files that a process has open; none if they are many."""
    folder = PROC / str(pid) / "fd"
    try:
        touch(folder)
        fds = numbers(folder)
    except OSError:
        return set()
    links = (link(folder / str(fd)) for fd in fds) if len(fds) <= _MOST_FILES else ()
    return {path for path in links if path and path[0] == "/" and not path.startswith("/dev/")}
