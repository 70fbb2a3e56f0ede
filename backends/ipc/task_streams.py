"""Tasks of two captured processes that wait for each other over their connections.

A task waits for who has the other end of its connection, and that is a task, too, of an event loop.
Such a loop may be woken by much else, so it is followed only where each of the two loops watches
nothing but connections to the other process, for which tasks of it wait, and sockets of servers.
"""

from collections.abc import Iterator, Sequence

from hangtui.backends.ipc.peer import Peer, Sleeper, TaskStream
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, Ends, Evidence, NodeKind, Source, Wait

_MOST = 100
"""Waits of one process that are followed."""


@dataclass(frozen=True, slots=True)
class _Followed:
    """One wait, and where it leads."""

    stream: TaskStream
    inode: int
    ends: Ends | None
    """None: it is no connection of TCP."""
    pid: int
    """The process that has the other end ..."""
    fds: Sequence[int]
    """... and its descriptors of it."""


def add(scene: Scene, sockets: Sockets) -> None:
    """Add these waits, and which tasks have their other ends in hand."""
    followed = {pid: _of(scene, sockets, peer) for pid, peer in scene.peers.items()}
    for pid, found in followed.items():
        partner = _partner(found)
        if partner is not None and _partner(followed.get(partner, ())) == pid:
            for one in found:
                _add(scene, one)


def _partner(found: Sequence[_Followed]) -> int | None:
    """The one process that all of them lead to; None: there is not exactly one."""
    pids = {one.pid for one in found}
    return pids.pop() if len(pids) == 1 else None


def _of(scene: Scene, sockets: Sockets, peer: Peer) -> Sequence[_Followed]:
    """The waits of its tasks; nothing if something else could wake its event loops."""
    streams = [one for one in peer.streams()[: _MOST + 1] if not one.beside]
    if not streams or len(streams) > _MOST or not _hears_nobody_else(scene, peer, streams):
        return ()
    found = [one for stream in streams for one in _followed(scene, sockets, peer, stream)]
    return found if len(found) == len(streams) else ()


def _hears_nobody_else(scene: Scene, peer: Peer, streams: Sequence[TaskStream]) -> bool:
    loops = [one for one in scene.facts.event_loops if one.pid == peer.pid]
    if not set(scene.able(peer)) <= {one.tid for one in loops}:
        return False
    for loop in loops:
        own = {one.fd for one in streams if one.tid == loop.tid}
        if loop.watched is None or loop.watched != (loop.accepting or 0) + len(own):
            return False
        if loop.timers != 0 or loop.signal_handlers or loop.tid not in peer.asleep:
            return False
    return True


def _followed(
    scene: Scene, sockets: Sockets, peer: Peer, stream: TaskStream
) -> Iterator[_Followed]:
    inode = inode_of(scene.descriptors.link(peer.pid, stream.fd) or "")
    far = sockets.far_ends(peer.pid, inode) if inode is not None else []
    if inode is None or len(far) != 1:
        return
    holders = scene.descriptors.holders(link_of(far[0]))
    if len(holders) == 1 and not scene.hidden_relatives:
        for pid, fds in holders.items():
            if pid != peer.pid and pid in scene.peers:
                tcp = sockets.table(peer.pid).socket(inode)
                yield _Followed(stream, inode, tcp.ends if tcp else None, pid, fds)


def _add(scene: Scene, one: _Followed) -> None:
    users = scene.peers[one.pid].stream_users(one.fds)
    if not users:
        return
    stream = one.stream
    peer = scene.peers[stream.task.pid]
    sleeper = Sleeper(peer, stream.tid, peer.asleep[stream.tid])
    node = scene.resource(
        NodeKind.SOCKET,
        f"{one.inode:#x}",
        one.ends.name if one.ends else f"Unix socket to {scene.name(one.pid)}",
        sleeper,
        ends=one.ends,
    )
    evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, stream.text, stream.place)
    scene.facts.waits.append(Wait(stream.task, node, evidence, stream.expires, stream.operation))
    text = f"{scene.name(one.pid)} has the other end open; of its tasks only these refer to it"
    for user in sorted(users):
        scene.hold(node, user, Certainty.INFERRED, text)
