"""Sessions of a PostgreSQL server on this machine, where a thread waits for one of them.

Each session is a process of the server, and says in its title what it does: "UPDATE waiting" for a
lock, "idle in transaction" (https://www.postgresql.org/docs/current/monitoring-ps.html).
"""

import re
from collections.abc import Iterator

from hangtui.backends.ipc import addresses, relatives, unixsockets
from hangtui.backends.ipc.addresses import TcpTable
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.procfs.files import PROC, link, numbers, raw_cmdline, touch
from hangtui.model import DatabaseSession, NodeId, NodeKind, clean

_TITLE = re.compile(r"postgres: (?:\S+: )?(\S+) (\S+) (?:\[local\]|\S+\(\d+\)) (\S.*)")
"""User, database and activity; the name of a cluster may come first."""
_MOST_SESSIONS, _MOST_FILES = 300, 256


def add(scene: Scene) -> None:
    """Add the sessions of the servers whose sessions threads wait for."""
    waiting: dict[int, list[NodeId]] = {}
    waiters = {wait.target: wait.waiter for wait in scene.facts.waits}
    for hold in scene.facts.holds:
        pid = hold.holder.pid
        process = hold.resource in waiters and hold.holder.kind is NodeKind.PROCESS
        if process and _title(pid) is not None:
            waiting.setdefault(pid, []).append(waiters[hold.resource])
    for pid in {pid for one in scene.facts.watched for pid in one.peers}:
        if _title(pid) is not None:
            waiting.setdefault(pid, [])
    servers = {relatives.parent(pid) for pid in waiting} - {None, 0, 1}
    tables: dict[str, TcpTable] = {}
    for server in servers:
        for pid in relatives.children(server or 0)[:_MOST_SESSIONS]:
            title = _title(pid)
            if title is not None:
                client = next(_clients(scene, pid, tables), (None, None))
                here = dict.fromkeys((*waiting.get(pid, ()), *_tasks(scene, *client)))
                stopped = relatives.is_held_up(pid)
                scene.facts.database_sessions.append(
                    DatabaseSession(server or 0, pid, *title, *client, tuple(here), stopped)
                )


def _tasks(scene: Scene, client: int | None, fd: int | None) -> Iterator[NodeId]:
    """The tasks of the client that wait for what comes over its connection, as with asyncpg."""
    peer = scene.peers.get(client) if client is not None else None
    for stream in peer.streams() if peer else ():
        if stream.fd == fd and stream.operation == "receive":
            yield stream.task


def _title(pid: int) -> tuple[str, str] | None:
    """The database and the activity of a session; None: it is none."""
    try:
        words = raw_cmdline(PROC / str(pid))
    except OSError:
        return None
    found = _TITLE.fullmatch(words[0].strip()) if words else None
    return (clean(found[2], 100), clean(found[3], 100)) if found else None


def _clients(
    scene: Scene, session: int, tables: dict[str, TcpTable]
) -> Iterator[tuple[int | None, int | None]]:
    """Who has the other end of a session's socket, and as which descriptor."""
    for inode in _sockets(session):
        try:
            unix = unixsockets.find(inode)
        except OSError:
            unix = None
        other = (unix.peer or 0) if unix is not None else _tcp_peer(session, inode, tables)
        for pid, fds in scene.descriptors.holders(link_of(other)).items() if other else ():
            yield pid, fds[0]


def _tcp_peer(session: int, inode: int, tables: dict[str, TcpTable]) -> int:
    namespace = addresses.namespace(session)
    if namespace not in tables:
        tables[namespace] = TcpTable(session)
    connection = tables[namespace].socket(inode)
    if connection is None or connection.listens:
        return 0
    other = tables[namespace].other_end(connection)
    return other.inode if other is not None else 0


def _sockets(pid: int) -> Iterator[int]:
    folder = PROC / str(pid) / "fd"
    try:
        touch(folder)
        fds = numbers(folder)
    except OSError:
        return
    for fd in fds[:_MOST_FILES]:
        target = link(folder / str(fd)) or ""
        if (inode := inode_of(target)) is not None:
            yield inode
