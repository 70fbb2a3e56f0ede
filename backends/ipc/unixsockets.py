"""Which Unix socket is the other end of which: the kernel answers by netlink (sock_diag)."""

import errno
import socket
import struct

from hangtui.dataclass import dataclass
from hangtui.model import clean

_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_REQUEST, _DUMP = 0x001, 0x300
_ERROR, _DONE = 2, 3
_SHOW_NAME, _SHOW_PEER, _SHOW_ICONS = 0x01, 0x04, 0x08
_NAME, _PEER, _ICONS = 0, 2, 3
_ALL_STATES = 0xFFFFFFFF
_TCP_LISTEN = 10
_LISTENING = 1 << _TCP_LISTEN
_NO_COOKIE = 0xFFFFFFFF
_HEADER = struct.Struct("<IHHII")
_ASK = struct.Struct("<BBHIIIII")
_MESSAGE = struct.Struct("<BBBBI8x")
_ATTRIBUTE = struct.Struct("<HH")
"""linux/netlink.h, linux/sock_diag.h, linux/unix_diag.h."""
_ANSWER_LIMIT_S = 1.0
_MOST_LISTENERS = 100_000
"""Whose messages are looked at: some 5 microseconds each."""


@dataclass(frozen=True, slots=True)
class UnixSocket:
    """One Unix socket."""

    inode: int
    kind: int
    """SOCK_STREAM, SOCK_DGRAM or SOCK_SEQPACKET."""
    peer: int | None
    """Inode of the other end; 0: it has not been accepted yet; None: there is no other end."""
    name: str | None
    listens: bool
    """Whether it accepts connections: then it has no other end."""
    pending: tuple[int, ...]
    """A listener's: inodes of the sockets that wait to be accepted."""

    @property
    def connects_two(self) -> bool:
        """Whether only its peer can send to it, unlike with datagrams."""
        return self.kind != socket.SOCK_DGRAM


def find(inode: int) -> UnixSocket | None:
    """The socket with this inode, in our own network namespace.

    Raises:
        OSError: the kernel does not tell.
    """
    show = _SHOW_NAME | _SHOW_PEER
    found = _ask(_ASK.pack(socket.AF_UNIX, 0, 0, _ALL_STATES, inode, show, *[_NO_COOKIE] * 2), 0)
    return found[0] if found else None


def listeners() -> dict[int, UnixSocket]:
    """By the inodes of sockets that wait to be accepted: the listener that has yet to do it.

    Raises:
        OSError: the kernel does not tell, or there are too many listeners to look at.
    """
    show = _SHOW_NAME | _SHOW_ICONS
    request = _ASK.pack(socket.AF_UNIX, 0, 0, _LISTENING, 0, show, *[_NO_COOKIE] * 2)
    return {inode: one for one in _ask(request, _DUMP) for inode in one.pending}


def _ask(request: bytes, flags: int) -> list[UnixSocket]:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(_ANSWER_LIMIT_S)
        length = _HEADER.size + len(request)
        header = _HEADER.pack(length, _SOCK_DIAG_BY_FAMILY, _REQUEST | flags, 1, 0)
        kernel.send(header + request)
        found: list[UnixSocket] = []
        seen = 0
        while True:
            answers, more = parse(kernel.recv(1 << 17))
            found += [one for one in answers if one.pending] if flags & _DUMP else answers
            seen += len(answers)
            if seen > _MOST_LISTENERS:
                raise OSError(errno.EFBIG, f"there are more than {_MOST_LISTENERS} listeners")
            if not (more and flags & _DUMP):
                return found


def parse(data: bytes) -> tuple[list[UnixSocket], bool]:
    """The sockets of one answer, and whether more are to come."""
    found: list[UnixSocket] = []
    offset = 0
    while offset + _HEADER.size + _MESSAGE.size <= len(data):
        length, kind, *_ = _HEADER.unpack_from(data, offset)
        if kind in (_DONE, _ERROR) or length < _HEADER.size + _MESSAGE.size:
            return found, False
        found.append(_socket(data[offset + _HEADER.size : offset + length]))
        offset += (length + 3) & ~3
    # What is shorter than a socket's message is the end of the list, or an error.
    return found, bool(found) and offset >= len(data)


def _socket(message: bytes) -> UnixSocket:
    _, kind, state, _, inode = _MESSAGE.unpack_from(message)
    attributes = dict(_attributes(message[_MESSAGE.size :]))
    peer, name = attributes.get(_PEER), attributes.get(_NAME)
    icons = attributes.get(_ICONS, b"")
    return UnixSocket(
        inode,
        kind,
        int.from_bytes(peer[:4], "little") if peer else None,
        _shown(name) if name else None,
        state == _TCP_LISTEN,
        struct.unpack(f"<{len(icons) // 4}I", icons[: len(icons) & ~3]),
    )


def _attributes(data: bytes) -> list[tuple[int, bytes]]:
    found, offset = [], 0
    while offset + _ATTRIBUTE.size <= len(data):
        length, kind = _ATTRIBUTE.unpack_from(data, offset)
        if length < _ATTRIBUTE.size:
            break
        found.append((kind, data[offset + _ATTRIBUTE.size : offset + length]))
        offset += (length + 3) & ~3
    return found


def _shown(name: bytes) -> str:
    """A path, or an abstract name with ``@`` in place of its first NUL."""
    if name.startswith(b"\0"):
        name = b"@" + name[1:]
    return clean(name.rstrip(b"\0").decode("utf-8", "replace"))
