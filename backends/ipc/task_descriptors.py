"""What the file descriptors are that tasks and greenlets wait for, in words."""

from dataclasses import replace

from hangtui.backends.ipc import unixsockets
from hangtui.backends.ipc.channel_calls import EPOLLS
from hangtui.backends.ipc.peer import Peer
from hangtui.backends.ipc.pipes import fd_names
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Ends, NodeId, Task

_MOST = 100
"""Tasks of one process whose descriptors are looked up."""
_MOST_NAMED = 2
_CALL = "loop.sock_"
"""What is awaited by calls of asyncio's loops that have it watched as long as they wait."""
_UNWATCHED = (
    ", which the loop does not watch: another call for the same socket takes the place of this one"
)


def add(scene: Scene, sockets: Sockets) -> None:
    """Say so in what they await."""
    named: dict[NodeId, tuple[int, str, Ends | None]] = {}
    for peer in scene.peers.values():
        for node, fd in list(peer.descriptors.items())[:_MOST]:
            name, ends = _named(scene, sockets, peer, fd)
            if name:
                named[node] = fd, name, ends
    if not named:
        return
    for index, task in enumerate(scene.facts.tasks):
        if task.id in named and task.awaits:
            fd, name, ends = named[task.id]
            if task.loop_tid is not None and not _watched(scene, task, fd):
                name += _UNWATCHED
            awaits = task.awaits.replace(f"file descriptor {fd}", name)
            scene.facts.tasks[index] = replace(task, awaits=awaits, ends=ends)


def _watched(scene: Scene, task: Task, fd: int) -> bool:
    """Whether the thread of its loop, which sleeps in epoll, is told of what comes there; also if
    that cannot be seen, or it is another call of the loop's that waits."""
    peer = scene.peers.get(task.pid)
    where = peer.asleep.get(task.loop_tid or 0) if peer is not None else None
    if where is None or where.call not in EPOLLS or _CALL not in (task.awaits or ""):
        return True
    epoll = signed(where.arguments[0])
    known = scene.descriptors.info(task.pid, epoll).values("tfd")
    return not known or fd in {int(line.split()[0]) for line in known}


def _named(scene: Scene, sockets: Sockets, peer: Peer, fd: int) -> tuple[str, Ends | None]:
    """``the TCP connection to 10.0.0.1:5432``, and its ends; ``a Unix connection, whose other end
    is open in process 12``; empty: it is not known, or is something else."""
    link = scene.descriptors.link(peer.pid, fd) or ""
    inode = inode_of(link)
    if inode is None:
        return "a pipe" if link.startswith("pipe:[") else "", None
    tcp = sockets.table(peer.pid).socket(inode)
    if tcp is None:
        return _unix_name(scene, peer, inode), None
    return (f"TCP port {tcp.local}", None) if tcp.listens else (f"the {tcp.ends.name}", tcp.ends)


def _unix_name(scene: Scene, peer: Peer, inode: int) -> str:
    """The same of a Unix connection; empty: it is none, or the kernel does not tell."""
    try:
        own = unixsockets.find(inode)
        there = unixsockets.find(own.peer) if own is not None and own.peer else None
    except OSError:
        return ""
    if own is None or own.listens or own.peer is None or not own.connects_two:
        return ""
    if there is None:
        return "" if own.peer else "a Unix connection that nobody has accepted yet"
    holders = scene.descriptors.holders(link_of(there.inode))
    name = f"the Unix connection to {there.name}" if there.name else "a Unix connection"
    if not holders:
        return name
    who = [f"process {pid}" for pid in sorted(holders) if pid != peer.pid][:_MOST_NAMED]
    if peer.pid in holders:
        who.insert(0, f"this process itself ({fd_names(holders[peer.pid])})")
    return f"{name}, whose other end is open in {' and '.join(who)}"
