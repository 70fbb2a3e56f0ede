"""Which children serve for a process that only supervises them: those that share its listener, and
those whose results somebody waits for."""

from collections.abc import Collection, Iterable, Iterator

from hangtui.backends.facts import Facts
from hangtui.backends.ipc import relatives, unixsockets
from hangtui.backends.ipc.addresses import TcpTable
from hangtui.backends.ipc.socket_links import inode_of
from hangtui.backends.procfs.files import PROC, link, numbers, touch
from hangtui.model import Process

_MOST_CHILDREN, _MOST_FILES, _MOST_SHARED = 16, 512, 8
"""Of one process that are looked at. A server with more workers is judged by those it waits for."""


def workers(facts: Facts, processes: Collection[Process]) -> set[int]:
    """PIDs of the children of *processes* that work for them."""
    served = {executor.pid for executor in facts.executors}
    found: set[int] = set()
    for process in processes:
        children = relatives.children(process.pid)
        if not 0 < len(children) <= _MOST_CHILDREN:
            continue
        if process.pid in served:
            found |= set(children)
            continue
        own = _sockets(process.pid)
        shared = {child: own & _sockets(child) for child in children} if own else {}
        listening = _listening(process.pid, {one for those in shared.values() for one in those})
        found |= {child for child, those in shared.items() if those & listening}
    return found


def _sockets(pid: int) -> set[int]:
    """Inodes of the sockets that a process has open, if these are not many."""
    try:
        touch(PROC / str(pid) / "fd")
        fds = numbers(PROC / str(pid) / "fd")
    except OSError:
        return set()
    return set(_inodes(pid, fds)) if len(fds) <= _MOST_FILES else set()


def _inodes(pid: int, fds: Iterable[int]) -> Iterator[int]:
    for fd in fds:
        target = link(PROC / str(pid) / "fd" / str(fd)) or ""
        if (inode := inode_of(target)) is not None:
            yield inode


def _listening(pid: int, inodes: set[int]) -> set[int]:
    """Those among *inodes* that accept connections."""
    if not 0 < len(inodes) <= _MOST_SHARED:
        return set()
    table = TcpTable(pid)
    found = set()
    for inode in inodes:
        tcp = table.socket(inode)
        try:
            unix = None if tcp else unixsockets.find(inode)
        except OSError:
            continue
        if (tcp is not None and tcp.listens) or (unix is not None and unix.listens):
            found.add(inode)
    return found
