"""When data went over a TCP connection last, as the kernel remembers it (``tcp_info``)."""

import socket
import struct
from dataclasses import replace

from hangtui.backends.ipc import sock_diag
from hangtui.backends.ipc.addresses import Address, Connection, TcpTable
from hangtui.dataclass import dataclass
from hangtui.model import Traffic

_ASK = struct.Struct("<BBBxI")
_PORTS = struct.Struct(">HH")
_ANYWHERE = struct.pack("<III", 0, 0xFFFFFFFF, 0xFFFFFFFF)
"""Of any network device, and without the cookie of an earlier answer."""
_INFO = 2
_ALL_STATES = 0xFFFFFFFF
_WORD = struct.Struct("<I")
_UNREAD_AT, _INODE_AT, _MESSAGE_BYTES = 56, 68, 72
"""linux/inet_diag.h: inet_diag_req_v2, INET_DIAG_INFO; idiag_rqueue, idiag_inode, inet_diag_msg."""
_RESENT_AT = 2
_UNACKNOWLEDGED_AT, _TIMES_AT, _BYTES_AT, _SEGMENTS_AT = 24, 44, 128, 152
"""linux/tcp.h, struct tcp_info: tcpi_retransmits; tcpi_unacked; tcpi_last_data_sent,
last_ack_sent, last_data_recv and last_ack_recv, in milliseconds; tcpi_bytes_received (since Linux
4.1); tcpi_data_segs_in and _out (since 4.6)."""
_MOMENT_MS = 10
"""The clock of these times ticks up to 100 times a second (CONFIG_HZ)."""
_LATE_MS = 250
"""A machine that has no answer to send along confirms what came after at most 200 ms
(TCP_DELACK_MAX, net/tcp.h)."""


@dataclass(frozen=True, slots=True)
class _Info:
    sent_ms: int
    received_ms: int
    confirmed_ms: int
    received: int
    """Segments of data; the same of what was sent."""
    sent: int
    unacknowledged: bool
    came: int
    """Bytes of data."""
    unread: int = 0


def traffic_of(connection: Connection, table: TcpTable) -> Traffic | None:
    """What went over a *connection* of this table; None: the kernel does not tell, or would tell of
    another network namespace."""
    if not table.ours:
        return None
    try:
        info = _info(connection)
    except OSError:
        return None
    if info is None:
        return None
    return Traffic(
        info.sent_ms / 1000 if info.sent else None,
        info.received_ms / 1000 if info.received else None,
        _sent_last(info),
        bool(table.listeners(connection.local)),
        info.unacknowledged,
        info.unread,
        came=info.came,
    )


def traffic_between(
    connection: Connection, other: Connection | None, table: TcpTable
) -> Traffic | None:
    """The same with what the *other* end, if it is known, has not fetched yet."""
    traffic = traffic_of(connection, table)
    far = traffic_of(other, table) if traffic and other is not None and other.inode else None
    return replace(traffic, unfetched=far.unread) if traffic and far else traffic


def _sent_last(info: _Info) -> bool | None:
    """Whether data went out after the last that came in."""
    if not info.sent:
        return False if info.received else None
    if not info.received:
        return True
    later_ms = info.received_ms - info.sent_ms
    if abs(later_ms) > _MOMENT_MS:
        return later_ms > 0
    # What is sent with nothing to come back is confirmed by itself, and a little later.
    confirmed_ms = info.received_ms - info.confirmed_ms
    return True if _MOMENT_MS < confirmed_ms <= _LATE_MS else None


def _info(connection: Connection) -> _Info | None:
    local, remote = connection.local, connection.remote
    family = socket.AF_INET if len(local.host) == 4 else socket.AF_INET6
    request = (
        _ASK.pack(family, socket.IPPROTO_TCP, 1 << (_INFO - 1), _ALL_STATES)
        + _PORTS.pack(local.port, remote.port)
        + _padded(local)
        + _padded(remote)
        + _ANYWHERE
    )
    message = next(sock_diag.ask(request, _MESSAGE_BYTES), None)
    if message is None or _WORD.unpack_from(message, _INODE_AT)[0] != connection.inode:
        return None
    info = parse(sock_diag.attributes(message[_MESSAGE_BYTES:]).get(_INFO, b""))
    return info and replace(info, unread=_WORD.unpack_from(message, _UNREAD_AT)[0])


def parse(raw: bytes) -> _Info | None:
    """A ``struct tcp_info``, as long as this kernel has it."""
    if len(raw) < _SEGMENTS_AT + 8:
        return None
    (unacknowledged,) = struct.unpack_from("<I", raw, _UNACKNOWLEDGED_AT)
    sent_ms, _, received_ms, confirmed_ms = struct.unpack_from("<4I", raw, _TIMES_AT)
    received, sent = struct.unpack_from("<2I", raw, _SEGMENTS_AT)
    (came,) = struct.unpack_from("<Q", raw, _BYTES_AT)
    again = bool(unacknowledged and raw[_RESENT_AT])
    return _Info(sent_ms, received_ms, confirmed_ms, received, sent, again, came)


def _padded(address: Address) -> bytes:
    return address.host.ljust(16, b"\0")
