"""Tasks that wait for what a child process says, or for it to read, over a pipe of asyncio's."""

from hangtui.backends.ipc import pipes
from hangtui.backends.ipc.channel_calls import Access
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene

_MOST = 100
"""Waits of one process that are followed."""
_ACCESS = {"receive": Access.READ, "send": Access.WRITE}


def add(scene: Scene) -> None:
    """Add these waits, and who has the other ends of their pipes."""
    for peer in scene.peers.values():
        _add_of(scene, peer)


def _add_of(scene: Scene, peer: Peer) -> None:
    for stream in peer.streams()[:_MOST]:
        asleep = peer.asleep.get(stream.tid)
        link = scene.descriptors.link(peer.pid, stream.fd)
        access = _ACCESS.get(stream.operation)
        if asleep is not None and link is not None and access is not None:
            pipes.add_of_task(scene, Sleeper(peer, stream.tid, asleep), stream, access, link)
