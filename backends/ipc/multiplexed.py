"""What a thread in poll, select or epoll waits for: any one of several descriptors wakes it."""

import struct
from collections.abc import Iterator
from dataclasses import replace

from hangtui.backends.ipc.channel_calls import EPOLLS, POLLS, SELECTS, Access, Demand
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.procfs.syscalls import signed
from hangtui.backends.procfs.thread_syscall import BlockedThread

_POLLIN, _POLLOUT = 0x1, 0x4
"""poll.h; epoll's numbers are the same."""
_EDGE = 1 << 31
"""EPOLLET (sys/epoll.h)."""
_ONESHOT = 1 << 30
"""EPOLLONESHOT (sys/epoll.h)."""
_SETTINGS = _EDGE | _ONESHOT | 1 << 29 | 1 << 28
"""What says how epoll is to tell of events, and names none (EP_PRIVATE_BITS, fs/eventpoll.c)."""
_MAX_DESCRIPTORS = 1024
_MAX_CHOICES = 16
"""Who has more waits for the world: it is an event loop, or a server."""


def demands(sleeper: Sleeper, descriptors: Descriptors) -> list[Demand]:
    """The things that it waits for; none if they are too many.

    Raises:
        MemoryReadError: its list of descriptors cannot be read.
    """
    call = sleeper.where.call
    if call in POLLS:
        found, name = list(_polled(sleeper)), "poll"
    elif call in SELECTS:
        found, name = list(_selected(sleeper)), "select"
    elif call in EPOLLS:
        epoll = signed(sleeper.where.arguments[0])
        found, name = list(registered(sleeper.pid, epoll, descriptors)), "epoll_wait"
    else:
        return []
    if len(found) > _MAX_CHOICES:
        return []
    made = Demand(-1, Access.READ, name, _expires(sleeper.where), polled=True, choices=len(found))
    edges = _edges(sleeper, descriptors) if call in EPOLLS else ()
    return [replace(made, fd=fd, access=access, edge=fd in edges) for fd, access in found]


def _expires(where: BlockedThread) -> bool:
    arguments = where.arguments
    match where.call:
        case "poll":
            return signed(arguments[2]) >= 0
        case "ppoll":
            return arguments[2] != 0
        case "select" | "pselect6":
            return arguments[4] != 0
        case "epoll_pwait2":
            return arguments[3] != 0
    return signed(arguments[3]) >= 0


def _polled(sleeper: Sleeper) -> Iterator[tuple[int, Access]]:
    address, count = sleeper.where.arguments[:2]
    if not 0 < count <= _MAX_DESCRIPTORS:
        return
    raw = sleeper.peer.memory.read(address, 8 * count)
    for fd, events, _ in struct.iter_unpack("<ihh", raw):
        if fd >= 0:
            yield from _wanted(fd, events)


def _selected(sleeper: Sleeper) -> Iterator[tuple[int, Access]]:
    count = sleeper.where.arguments[0]
    if not 0 < count <= _MAX_DESCRIPTORS:
        return
    for index, access in ((1, Access.READ), (2, Access.WRITE)):
        address = sleeper.where.arguments[index]
        if address:
            bits = int.from_bytes(sleeper.peer.memory.read(address, (count + 7) // 8), "little")
            yield from ((fd, access) for fd in range(count) if bits >> fd & 1)


def asked(sleeper: Sleeper) -> set[int]:
    """The descriptors that a thread in poll or select asks for."""
    if sleeper.where.call in POLLS:
        return {fd for fd, _ in _polled(sleeper)}
    return {fd for fd, _ in _selected(sleeper)} if sleeper.where.call in SELECTS else set()


def registered(
    pid: int, epoll: int, descriptors: Descriptors, most: int = _MAX_CHOICES
) -> Iterator[tuple[int, Access]]:
    """What is registered with a descriptor of epoll, *most* and one at most."""
    # The last line may be cut off; with so many of them it does not matter which they are.
    for line in descriptors.info(pid, epoll).values("tfd")[: most + 1]:
        fd, events = _entry(line)
        if not _disarmed(events):
            yield from _wanted(fd, events)


def disarmed(pid: int, epoll: int, descriptors: Descriptors) -> set[int]:
    """The descriptors registered there of which epoll has told once (EPOLLONESHOT), and tells no
    more."""
    entries = map(_entry, descriptors.info(pid, epoll).values("tfd"))
    return {fd for fd, events in entries if _disarmed(events)}


def _entry(line: str) -> tuple[int, int]:
    """A descriptor that is registered with epoll, and for which events."""
    words = line.split()
    return int(words[0]), int(words[2], 16)


def _disarmed(events: int) -> bool:
    return bool(events & _ONESHOT) and not events & ~_SETTINGS


def _edges(sleeper: Sleeper, descriptors: Descriptors) -> set[int]:
    """The descriptors of whose changes alone it is told, as far as they are looked at."""
    epoll = signed(sleeper.where.arguments[0])
    lines = descriptors.info(sleeper.pid, epoll).values("tfd")[: _MAX_CHOICES + 1]
    return {fd for fd, events in map(_entry, lines) if events & _EDGE}


def _wanted(fd: int, events: int) -> Iterator[tuple[int, Access]]:
    """One for each way in which it can become ready; for neither, it waits for the other's end."""
    if events & _POLLIN or not events & _POLLOUT:
        yield fd, Access.READ
    if events & _POLLOUT:
        yield fd, Access.WRITE
