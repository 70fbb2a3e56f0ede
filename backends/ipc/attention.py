"""Whether a process attends to what it has open: reads from it, or asks whether it can."""

from collections.abc import Collection, Iterator, Mapping

from hangtui.backends.ipc import multiplexed
from hangtui.backends.ipc.channel_calls import (
    ACCEPTS,
    EPOLLS,
    POLLS,
    SELECTS,
    SLEEPS,
    Access,
    transfer,
)
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.procfs.files import PROC, link, numbers, touch
from hangtui.backends.procfs.syscalls import signed

_CHILDREN = frozenset({"wait4", "waitid"})
_LOOPS = (
    POLLS | SELECTS | EPOLLS | SLEEPS | {"pause", "rt_sigtimedwait"}
    | _CHILDREN
)  # fmt: skip
"""What a process that supervises others does all day."""
_EPOLL = "anon_inode:[eventpoll]"
_MOST_FILES, _MOST_WATCHED = 4096, 256
"""Of one process that are looked at, and of one event loop."""


def unread(scene: Scene, ends: Mapping[int, Collection[int]]) -> bool:
    """Whether no process reads from the pipe of which these are the reading ends, by PID; only if
    all of them were captured, and none of their threads ran."""
    known = [scene.peers.get(pid) for pid in ends]
    if not ends or scene.hidden_relatives:
        return False
    return all(peer is not None and ignores(scene, peer, ends[peer.pid]) for peer in known)


def looks_elsewhere(scene: Scene, pid: int, fds: Collection[int]) -> bool:
    """Whether a captured process *ignores* these descriptors, while its main thread waits for what
    comes next: for other descriptors, a child, a signal or a timer."""
    peer = scene.peers.get(pid)
    main = peer.asleep.get(pid) if peer is not None else None
    if peer is None or main is None:
        return False
    if main.call not in _LOOPS and not (main.futex and main.futex.expires):
        return False
    return ignores(scene, peer, fds)


def awaits_children(scene: Scene, pid: int) -> bool:
    """Whether the main thread of a captured process waits until a child has ended."""
    peer = scene.peers.get(pid)
    main = peer.asleep.get(pid) if peer is not None else None
    return main is not None and main.call in _CHILDREN


def ignores(scene: Scene, peer: Peer, fds: Collection[int], access: Access | None = None) -> bool:
    """Whether all threads of a process are asleep, and none of them, nor an event loop, attends to
    these descriptors; False where that cannot be told. *access*: of those that are in a call only
    who reads or writes counts; None: whoever is."""
    if any(thread.tid not in peer.asleep for thread in peer.process.threads):
        return False
    try:
        for tid, where in peer.asleep.items():
            own = transfer(where)
            if own is not None and own.fd in fds and access in (None, own.access):
                return False
            if where.call in ACCEPTS and signed(where.arguments[0]) in fds:
                return False
            if multiplexed.asked(Sleeper(peer, tid, where)) & set(fds):
                return False
        watched = {fd for epoll in _loops(peer.pid) for fd in _watched(scene, peer.pid, epoll)}
    except (OSError, DamagedDataError, ValueError, IndexError):
        return False
    return not watched & set(fds)


def reads(scene: Scene, ends: Mapping[int, Collection[int]]) -> bool:
    """Whether a captured process sleeps in a call that any byte would end that can be read from one
    of these descriptors, by PID. Then nothing can be."""
    return any(
        _reads(Sleeper(peer, tid, where), scene, ends[pid])
        for pid, peer in scene.peers.items()
        if pid in ends
        for tid, where in peer.asleep.items()
    )


def read_by_others(scene: Scene, sleeper: Sleeper, fds: Collection[int]) -> bool:
    """Whether another thread of the same process sleeps in a call that what comes there would end:
    who does so at the other end of a pair talks over it, and does not only wake somebody up."""
    others = ((tid, at) for tid, at in sleeper.peer.asleep.items() if tid != sleeper.tid)
    return any(_reads(Sleeper(sleeper.peer, tid, at), scene, fds) for tid, at in others)


def _reads(sleeper: Sleeper, scene: Scene, fds: Collection[int]) -> bool:
    own = transfer(sleeper.where)
    try:
        asked = [own] if own is not None else multiplexed.demands(sleeper, scene.descriptors)
    except (OSError, DamagedDataError, ValueError, IndexError):
        return False
    return any(one.fd in fds and one.access is Access.READ and not one.edge for one in asked)


def loops_of(scene: Scene, pid: int, fds: Collection[int]) -> list[int]:
    """The descriptors of epoll by which a process attends to one of these."""
    try:
        return [epoll for epoll in _loops(pid) if set(fds) & set(_watched(scene, pid, epoll))]
    except (OSError, DamagedDataError, ValueError, IndexError):
        return []


def told_once(scene: Scene, pid: int, fds: Collection[int]) -> bool:
    """Whether epoll has told a process of one of these, and was asked for no more."""
    try:
        once = [multiplexed.disarmed(pid, epoll, scene.descriptors) for epoll in _loops(pid)]
    except (OSError, DamagedDataError, ValueError, IndexError):
        return False
    return any(set(fds) & those for those in once)


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
