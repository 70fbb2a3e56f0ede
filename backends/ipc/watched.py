"""Connections that threads watch along with other things: none of these alone is waited for."""

from collections.abc import Collection, Iterable

from hangtui.backends.ipc import unixsockets
from hangtui.backends.ipc.addresses import Connection
from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.pipes import writers_elsewhere
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.ipc.socket_words import nearby
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.ipc.tcp_traffic import traffic_of
from hangtui.model import UNIX, Listening, Watched

_MOST_HEARD = 32
"""Of more connections, nobody asks whose each is."""


def add(scene: Scene, sockets: Sockets, sleeper: Sleeper, demands: Collection[Demand]) -> None:
    """Add the connections among what a thread would be woken by, whose ends may both be its own
    process's, and the TCP ports that others connect to."""
    fds = list(dict.fromkeys(demand.fd for demand in demands))
    hearers = sleeper.peer.hearers(fds) if len(fds) <= _MOST_HEARD else {}
    reads = {demand.fd for demand in demands if demand.access is Access.READ}
    python = sleeper.peer.place(sleeper.tid) is not None
    for fd in fds:
        link = scene.descriptors.link(sleeper.pid, fd)
        if link is not None and python and fd in reads:
            _add_pipe(scene, sleeper, fd, link)
        inode = inode_of(link) if link is not None else None
        if inode is None:
            continue
        table = sockets.table(sleeper.pid)
        tcp = table.socket(inode)
        if tcp is not None and tcp.listens and table.whole:
            clients = len(table.clients(tcp))
            name = f"TCP port {tcp.local}"
            scene.facts.listening.append(Listening(sleeper.node, name, clients))
        if tcp is None and not python:
            _add_unix(scene, sleeper, inode)
        if tcp is None or tcp.listens:
            continue
        other = table.other_end(tcp)
        knocks = tcp.begun or (other is not None and other.unaccepted)
        listeners = table.listeners(tcp.remote) if knocks and nearby(tcp) else []
        peers = _open(scene, listeners) if knocks else _open(scene, [other] if other else [])
        if set(peers) == {sleeper.pid} and scene.hidden_relatives:
            continue  # one of these may have it, too
        name = f"{tcp.ends.name}{' (not connected yet)' if tcp.begun else ''}"
        traffic, by = traffic_of(tcp, table), hearers.get(fd, "")
        one = Watched(sleeper.node, name, traffic, peers, not knocks, by, tcp.ends)
        scene.facts.watched.append(one)


def _add_pipe(scene: Scene, sleeper: Sleeper, fd: int, link: str) -> None:
    """Add a pipe of a Python thread into which other processes alone may write."""
    known = writers_elsewhere(scene, sleeper, fd, link)
    if known is not None:
        name, peers = known
        scene.facts.watched.append(Watched(sleeper.node, name, None, peers))


def _add_unix(scene: Scene, sleeper: Sleeper, inode: int) -> None:
    """Add a Unix connection of a native thread whose other end another process has open."""
    try:
        own = unixsockets.find(inode)
    except OSError:
        return
    if own is None or own.listens or not own.peer or not own.connects_two:
        return
    peers = tuple(sorted(scene.descriptors.holders(link_of(own.peer))))
    if set(peers) - {sleeper.pid}:
        scene.facts.watched.append(Watched(sleeper.node, UNIX, None, peers))


def _open(scene: Scene, sockets: Iterable[Connection]) -> tuple[int, ...]:
    """PIDs of those that have one of *sockets* open, as far as they are on this machine."""
    links = [link_of(one.inode) for one in sockets if one.inode]
    return tuple(sorted({pid for link in links for pid in scene.descriptors.holders(link)}))
