"""Connections of a process in which data lies unread, and which none of its threads, nor an event
loop of its, reads from or watches: nobody takes what came, be it the answer that somebody waits
for."""

from collections.abc import Iterator

from hangtui.backends.ipc import attention
from hangtui.backends.ipc.peer import Peer
from hangtui.backends.ipc.pipes import fd_names
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.ipc.tcp_traffic import traffic_of
from hangtui.model import Unattended

_MOST_SOCKETS, _MOST = 256, 64
"""Of one process that are looked at, each by one question to the kernel, and told."""


def add(scene: Scene, sockets: Sockets) -> None:
    """Add those of all captured processes whose threads are all asleep."""
    for peer in scene.peers.values():
        if peer.process.threads and all(t.tid in peer.asleep for t in peer.process.threads):
            scene.facts.unattended += _of(scene, sockets, peer)


def _of(scene: Scene, sockets: Sockets, peer: Peer) -> list[Unattended]:
    links: dict[str, list[int]] = {}
    for fd, link in scene.descriptors.open_in(peer.pid):
        if inode_of(link) is not None:
            links.setdefault(link, []).append(fd)
    if not links or len(links) > _MOST_SOCKETS:
        return []
    return list(_unread(scene, sockets, peer, links))[:_MOST]


def _unread(
    scene: Scene, sockets: Sockets, peer: Peer, links: dict[str, list[int]]
) -> Iterator[Unattended]:
    table = sockets.table(peer.pid)
    for link, fds in links.items():
        tcp = table.socket(inode_of(link) or 0)
        traffic = traffic_of(tcp, table) if tcp is not None and not tcp.listens else None
        if tcp is None or traffic is None or not traffic.unread:
            continue
        # Another process that has it, too, may be the one that reads.
        if set(scene.descriptors.holders(link)) != {peer.pid} or scene.hidden_relatives:
            continue
        if not attention.ignores(scene, peer, fds):
            continue
        paused = peer.paused()
        by = next((paused[fd] for fd in fds if fd in paused), None)
        # What a server said last to a pooled connection, before it closed that, is for nobody.
        if tcp.established or by is not None:
            once, ends = attention.told_once(scene, peer.pid, fds), tcp.ends
            yield Unattended(peer.pid, ends.name, fd_names(fds), traffic, by, once, ends)
