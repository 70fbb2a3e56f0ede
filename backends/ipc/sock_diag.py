"""The kernel's own account of the sockets of our network namespace, by netlink (sock_diag)."""

import socket
import struct
from collections.abc import Iterator

_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_REQUEST, _DUMP = 0x001, 0x300
_ERROR, _DONE = 2, 3
_HEADER = struct.Struct("<IHHII")
_ATTRIBUTE = struct.Struct("<HH")
"""linux/netlink.h, linux/sock_diag.h."""
_ANSWER_LIMIT_S = 1.0


def ask(request: bytes, least: int, *, every: bool = False) -> Iterator[bytes]:
    """The messages by which the kernel answers, each of at least *least* bytes. *every*: of all
    sockets that fit, not of one.

    Raises:
        OSError: the kernel does not tell.
    """
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(_ANSWER_LIMIT_S)
        flags = _REQUEST | (_DUMP if every else 0)
        length = _HEADER.size + len(request)
        kernel.send(_HEADER.pack(length, _SOCK_DIAG_BY_FAMILY, flags, 1, 0) + request)
        while True:
            messages = list(framed(kernel.recv(1 << 17)))
            for kind, message in messages:
                if kind in (_DONE, _ERROR) or len(message) < least:
                    return
                yield message
            if not every or not messages:
                return


def framed(answer: bytes) -> Iterator[tuple[int, bytes]]:
    """The messages of one datagram and their kinds; the last may be cut."""
    offset = 0
    while offset + _HEADER.size <= len(answer):
        length, kind, *_ = _HEADER.unpack_from(answer, offset)
        if length < _HEADER.size:
            return
        yield kind, answer[offset + _HEADER.size : offset + length]
        offset += (length + 3) & ~3


def attributes(data: bytes) -> dict[int, bytes]:
    """By their numbers, the attributes that follow the fixed part of a message."""
    found, offset = {}, 0
    while offset + _ATTRIBUTE.size <= len(data):
        length, kind = _ATTRIBUTE.unpack_from(data, offset)
        if length < _ATTRIBUTE.size:
            break
        found[kind] = data[offset + _ATTRIBUTE.size : offset + length]
        offset += (length + 3) & ~3
    return found
