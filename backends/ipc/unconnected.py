"""Processes that have no open TCP connection, though a thread of theirs may work for one."""

from collections.abc import Collection

from hangtui.backends.ipc import unixsockets
from hangtui.backends.ipc.addresses import Connection
from hangtui.backends.ipc.peer import Peer
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.model import Unconnected

_MOST, _MOST_SOCKETS = 8, 1024


def add(scene: Scene, sockets: Sockets) -> None:
    """Add those among the captured processes that have several threads."""
    for peer in scene.peers.values():
        if len(peer.process.threads) > 1:
            found = _connections(scene, sockets, peer)
            if found is not None and not any(one.established for one in found[0]):
                begun = [str(one.remote) for one in found[0] if one.begun]
                made = Unconnected(peer.pid, tuple(begun[:_MOST]), pairs=found[1])
                scene.facts.unconnected.append(made)


def _connections(
    scene: Scene, sockets: Sockets, peer: Peer
) -> tuple[list[Connection], bool] | None:
    """The TCP sockets of a process, and whether it has pairs of Unix sockets besides; None: not all
    are known, or it has sockets of other kinds, which lead elsewhere."""
    table = sockets.table(peer.pid)
    links = [link for _, link in scene.descriptors.open_in(peer.pid)]
    scene.descriptors.holders("")  # so that it is known whose cannot be read
    hidden = peer.pid in scene.descriptors.unreadable | scene.descriptors.uncounted
    if hidden or not table.whole or len(links) > _MOST_SOCKETS:
        return None
    inodes = {inode for link in links if (inode := inode_of(link)) is not None}
    known = {inode: tcp for inode in sorted(inodes) if (tcp := table.socket(inode)) is not None}
    others = inodes - known.keys()
    return (list(known.values()), bool(others)) if _are_pairs(others) else None


def _are_pairs(inodes: Collection[int]) -> bool:
    """Whether these are Unix sockets that lead to each other: a loop wakes itself by a pair."""
    if len(inodes) > _MOST:
        return False
    try:
        found = [unixsockets.find(inode) for inode in inodes]
    except OSError:
        return False
    return all(one is not None and one.peer in inodes for one in found)
