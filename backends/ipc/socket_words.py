"""Sockets and their other ends in words."""

import socket
import struct

from hangtui.backends.ipc import addresses, unixsockets
from hangtui.backends.ipc.addresses import Address, Connection

_OUT_OF_SIGHT = "its other end is on another machine, or in another network namespace"
_NOT_LISTED = "its other end is not among the connections of this machine: it may be closed by now"
_TOO_LONG = "its other end is not known: there are more connections than are looked at"


def nearby(tcp: Connection) -> bool:
    """Whether the other end of a connection is on this machine."""
    return tcp.remote.loopback or tcp.remote.host == tcp.local.host


def tcp_note(tcp: Connection, other: Connection | None, *, whole: bool) -> str | None:
    """What the kernel's table says of the other end, unless a process has it or is to accept it."""
    if other is None:
        known = (_NOT_LISTED if nearby(tcp) else _OUT_OF_SIGHT) if whole else _TOO_LONG
        return f"{known} (this end is {tcp.state_name})"
    if other.inode or other.unaccepted:
        return None
    return (
        f"the other side has closed it: that end is {other.state_name}, this one {tcp.state_name}"
    )


def peer_name(raw: bytes) -> str:
    """A ``struct sockaddr`` in words."""
    family = int.from_bytes(raw[:2], "little")
    if family == socket.AF_INET and len(raw) >= 8:
        return f"TCP port {Address(raw[4:8], *struct.unpack('>H', raw[2:4]))}"
    if family == socket.AF_INET6 and len(raw) >= 24:
        host = addresses.undressed(raw[8:24])
        return f"TCP port {Address(host, *struct.unpack('>H', raw[2:4]))}"
    if family == socket.AF_UNIX:
        return f"Unix socket {unixsockets.name_of(raw)}"
    return "a socket"
