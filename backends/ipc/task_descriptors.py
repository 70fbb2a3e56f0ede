"""What the file descriptors are that tasks and greenlets wait for, in words."""

from dataclasses import replace

from hangtui.backends.ipc.peer import Peer
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.model import NodeId

_MOST = 100
"""Tasks of one process whose descriptors are looked up."""


def add(scene: Scene, sockets: Sockets) -> None:
    """Say so in what they await."""
    named: dict[NodeId, tuple[int, str]] = {}
    for peer in scene.peers.values():
        for node, fd in list(peer.descriptors.items())[:_MOST]:
            if name := _named(scene, sockets, peer, fd):
                named[node] = fd, name
    if not named:
        return
    for index, task in enumerate(scene.facts.tasks):
        if task.id in named and task.awaits:
            fd, name = named[task.id]
            awaits = task.awaits.replace(f"file descriptor {fd}", name)
            scene.facts.tasks[index] = replace(task, awaits=awaits)


def _named(scene: Scene, sockets: Sockets, peer: Peer, fd: int) -> str:
    """``the TCP connection to 10.0.0.1:5432``; empty: it is not known, or is something else."""
    link = scene.descriptors.link(peer.pid, fd) or ""
    inode = inode_of(link)
    if inode is None:
        return "a pipe" if link.startswith("pipe:[") else ""
    tcp = sockets.table(peer.pid).socket(inode)
    if tcp is None:
        return ""
    return f"TCP port {tcp.local}" if tcp.listens else f"the TCP connection to {tcp.remote}"
