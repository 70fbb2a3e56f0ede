"""Which Unix socket is the other end of which: the kernel answers by netlink (sock_diag)."""

import errno
import socket
import struct

from hangtui.backends.ipc import sock_diag
from hangtui.dataclass import dataclass
from hangtui.model import clean

_SHOW_NAME, _SHOW_PEER, _SHOW_ICONS = 0x01, 0x04, 0x08
_NAME, _PEER, _ICONS = 0, 2, 3
_ALL_STATES = 0xFFFFFFFF
_TCP_LISTEN = 10
_LISTENING = 1 << _TCP_LISTEN
_NO_COOKIE = 0xFFFFFFFF
_ASK = struct.Struct("<BBHIIIII")
_MESSAGE = struct.Struct("<BBBBI8x")
"""linux/unix_diag.h."""
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
    request = _ASK.pack(socket.AF_UNIX, 0, 0, _ALL_STATES, inode, show, *[_NO_COOKIE] * 2)
    return next(map(_socket, sock_diag.ask(request, _MESSAGE.size)), None)


def listeners() -> list[UnixSocket]:
    """All that accept connections.

    Raises:
        OSError: the kernel does not tell, or there are too many to look at.
    """
    show = _SHOW_NAME | _SHOW_ICONS
    request = _ASK.pack(socket.AF_UNIX, 0, 0, _LISTENING, 0, show, *[_NO_COOKIE] * 2)
    found: list[UnixSocket] = []
    for message in sock_diag.ask(request, _MESSAGE.size, every=True):
        if len(found) >= _MOST_LISTENERS:
            raise OSError(errno.EFBIG, f"there are more than {_MOST_LISTENERS} listeners")
        found.append(_socket(message))
    return found


def name_of(address: bytes) -> str:
    """What a ``struct sockaddr_un`` names, as the name of a socket is shown."""
    path = address[2:]
    return _shown(path if path.startswith(b"\0") else path.partition(b"\0")[0])


def _socket(message: bytes) -> UnixSocket:
    _, kind, state, _, inode = _MESSAGE.unpack_from(message)
    attributes = sock_diag.attributes(message[_MESSAGE.size :])
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


def _shown(name: bytes) -> str:
    """A path, or an abstract name with ``@`` in place of its first NUL."""
    if name.startswith(b"\0"):
        name = b"@" + name[1:]
    return clean(name.rstrip(b"\0").decode("utf-8", "replace"))
