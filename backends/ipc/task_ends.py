"""Who has the other ends of connections at which tasks wait for data: which tasks or threads of
another captured process have them in hand, or which thread beside the event loops of their own."""

from collections.abc import Iterator, Sequence

from hangtui.backends.ipc.peer import Peer, TaskStream
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.model import FarEnd, NodeId, thread_id

_MOST = 16
"""Waits of one process that are followed."""


def add(scene: Scene, sockets: Sockets) -> None:
    """Add these ends."""
    for peer in scene.peers.values():
        streams = [one for one in peer.streams() if one.operation == "receive"]
        for stream in streams[:_MOST]:
            scene.facts.far_ends += _far_end(scene, sockets, peer, stream)


def _far_end(scene: Scene, sockets: Sockets, peer: Peer, stream: TaskStream) -> Iterator[FarEnd]:
    """That of one wait, if one process alone is known to have it open; if that is its own, a single
    thread of that which has it in hand."""
    inode = inode_of(scene.descriptors.link(peer.pid, stream.fd) or "")
    far = sockets.far_ends(peer.pid, inode) if inode is not None else []
    holders = scene.descriptors.holders(link_of(far[0])) if len(far) == 1 else {}
    if len(holders) != 1 or scene.hidden_relatives:
        return
    for pid, fds in holders.items():
        if pid not in scene.peers:
            continue
        own = pid == peer.pid
        users = _threads(scene, peer, fds) if own else _users(scene, scene.peers[pid], fds)
        if not own or len(users) == 1:
            name = f"connection to {scene.name(pid)}"
            known = scene.peers[pid].paused()
            paused = next((known[fd] for fd in fds if fd in known), None)
            yield FarEnd(stream.task, name, pid, users, stream.expires, paused)


def _users(scene: Scene, peer: Peer, fds: Sequence[int]) -> tuple[NodeId, ...]:
    """The tasks that have one of *fds* in hand; or the threads."""
    return tuple(sorted(peer.stream_users(fds))) or _threads(scene, peer, fds)


def _threads(scene: Scene, peer: Peer, fds: Sequence[int]) -> tuple[NodeId, ...]:
    """The threads that have one of *fds* in hand, without those that run event loops."""
    loops = {one.tid for one in scene.facts.event_loops if one.pid == peer.pid}
    found = peer.socket_users(fds, ()) if peer.socket_users else None
    return tuple(thread_id(peer.pid, tid) for tid in sorted(found or ()) if tid not in loops)
