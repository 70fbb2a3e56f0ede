"""Whether anybody reads from a pipe that is full, or asks whether it can be read."""

from collections.abc import Collection, Iterator, Mapping

from hangtui.backends.ipc import multiplexed
from hangtui.backends.ipc.channel_calls import transfer
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.procfs.files import PROC, link, numbers, touch

_EPOLL = "anon_inode:[eventpoll]"
_MOST_FILES, _MOST_WATCHED = 4096, 256
"""Of one process that are looked at, and of one event loop."""


def unread(scene: Scene, ends: Mapping[int, Collection[int]]) -> bool:
    """Whether no process reads from the pipe of which these are the reading ends, by PID; only if
    all of them were captured, and none of their threads ran."""
    known = [scene.peers.get(pid) for pid in ends]
    if not ends or scene.hidden_relatives:
        return False
    return all(peer is not None and _unread(scene, peer, ends[peer.pid]) for peer in known)


def _unread(scene: Scene, peer: Peer, fds: Collection[int]) -> bool:
    if any(thread.tid not in peer.asleep for thread in peer.process.threads):
        return False
    try:
        for tid, where in peer.asleep.items():
            own = transfer(where)
            if own is not None and own.fd in fds:
                return False
            if multiplexed.asked(Sleeper(peer, tid, where)) & set(fds):
                return False
        watched = {fd for epoll in _loops(peer.pid) for fd in _watched(scene, peer.pid, epoll)}
    except (OSError, DamagedDataError, ValueError, IndexError):
        return False
    return not watched & set(fds)


def _loops(pid: int) -> Iterator[int]:
    """Its descriptors of epoll.

    Raises:
        ValueError: it has too many descriptors.
    """
    folder = PROC / str(pid) / "fd"
    touch(folder)
    descriptors = numbers(folder)
    if len(descriptors) > _MOST_FILES:
        raise ValueError("too many descriptors")
    for number in descriptors:
        if link(folder / str(number)) == _EPOLL:
            yield number


def _watched(scene: Scene, pid: int, epoll: int) -> list[int]:
    found = list(multiplexed.registered(pid, epoll, scene.descriptors, _MOST_WATCHED))
    if len(found) >= _MOST_WATCHED:
        raise ValueError("too many of them are watched")
    return [fd for fd, _ in found]
