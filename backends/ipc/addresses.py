"""TCP connections of a network namespace, from ``/proc/PID/net/tcp`` and ``tcp6``."""

import ipaddress
import os
import re
from functools import cached_property

from hangtui.backends.procfs.files import PROC, link, text
from hangtui.dataclass import dataclass
from hangtui.model import Ends, bracketed

_ESTABLISHED, _ASKED, _LISTEN = 0x01, 0x02, 0x0A
_STATES = {
    1: "ESTABLISHED", 2: "SYN_SENT", 3: "SYN_RECV", 4: "FIN_WAIT1", 5: "FIN_WAIT2", 6: "TIME_WAIT",
    7: "CLOSE", 8: "CLOSE_WAIT", 9: "LAST_ACK", 10: "LISTEN", 11: "CLOSING", 12: "NEW_SYN_RECV",
}  # fmt: skip
_OPEN = {1, 3, 8, 12}
"""States in which a side has not closed the connection itself: net/tcp_states.h."""
_CLOSING = frozenset({"04", "09", "0B"})
"""States in which what was sent, the end among it, is not acknowledged: sk_stream_closing()."""
_MOST_CLOSING = 64
_MAPPED = bytes(10) + b"\xff\xff"
_IPV4 = 4
_MAX_BYTES = 32 << 20
"""Of each table: 200,000 sockets."""
_ROW = re.compile(
    r"^ *\d+: ([0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4}) ([0-9A-F]{2}) "
    r"\S+ \S+ \S+ +\d+ +\d+ (\d+) ",
    re.MULTILINE,
)
"""Both ends, the state, and the inode."""


@dataclass(frozen=True, slots=True)
class Address:
    """One end of a connection."""

    host: bytes
    """4 or 16 bytes; an IPv4 address in IPv6's clothes is undressed."""
    port: int

    @property
    def anywhere(self) -> bool:
        """Whether it stands for all addresses of the machine."""
        return not any(self.host)

    @property
    def loopback(self) -> bool:
        """Whether it is this very machine's, for itself."""
        return ipaddress.ip_address(self.host).is_loopback

    def __str__(self) -> str:
        return f"{bracketed(str(ipaddress.ip_address(self.host)))}:{self.port}"


@dataclass(frozen=True, slots=True)
class Connection:
    """One line of the table."""

    local: Address
    remote: Address
    state: int
    inode: int
    """0: no process has it, or not yet."""

    @property
    def ends(self) -> Ends:
        """Its ends, in words."""
        return Ends(str(self.local), str(self.remote))

    @property
    def state_name(self) -> str:
        """As the kernel and ``ss`` call it."""
        return _STATES.get(self.state, f"state {self.state}")

    @property
    def unaccepted(self) -> bool:
        """Whether it is a server's side that no process has got from accept(2) yet."""
        return not self.inode and self.state in _OPEN

    @property
    def established(self) -> bool:
        """Whether it is open, and neither side has closed it."""
        return self.state == _ESTABLISHED

    @property
    def begun(self) -> bool:
        """Whether its process asked for it, and the other side has not answered."""
        return self.state == _ASKED

    @property
    def listens(self) -> bool:
        """Whether it accepts connections."""
        return self.state == _LISTEN


class TcpTable:
    """All TCP sockets that a process's network namespace has.

    Busy servers have tens of thousands, most of them closed already: their addresses are taken
    apart only if they are asked for.
    """

    def __init__(self, pid: int) -> None:
        self.ours = namespace(pid) == namespace(os.getpid())
        """Whether it is our own network namespace, of which the kernel tells us more."""
        texts = [_text(pid, name) for name in ("tcp", "tcp6")]
        self.whole = all(len(content) < _MAX_BYTES for content in texts)
        """Whether it could be read to its end."""
        self._by_inode: dict[int, tuple[str, str]] = {}
        self._by_ends: dict[str, tuple[int, str]] = {}
        """By both ends, as they are written: the inode and the state."""
        self._listening: dict[str, list[int]] = {}
        """By port, as it is written."""
        for content in texts:
            for ends, state, inode in _ROW.findall(content):
                self._add(ends, state, int(inode))

    def _add(self, ends: str, state: str, inode: int) -> None:
        if inode:
            self._by_inode[inode] = (ends, state)
        self._by_ends[ends] = max((inode, state), self._by_ends.get(ends, (0, "")))
        if int(state, 16) == _LISTEN:
            port = ends.partition(" ")[0].rpartition(":")[2]
            self._listening.setdefault(port, []).append(inode)

    def socket(self, inode: int) -> Connection | None:
        """The socket with this inode."""
        ends, state = self._by_inode.get(inode, ("", ""))
        return _connection(ends, state, inode) if ends else None

    def closing(self) -> list[Connection]:
        """Those that a process is closing, while the other side has yet to take what was sent."""
        inodes = [one for one, (_, state) in self._by_inode.items() if state in _CLOSING]
        found = map(self.socket, inodes[:_MOST_CLOSING])
        return [one for one in found if one is not None]

    def other_end(self, connection: Connection) -> Connection | None:
        """The socket at the other end, if it is in the same namespace."""
        local, remote = connection.remote, connection.local
        # Either end may be an IPv6 socket that talks IPv4.
        written = [f"{_written(local, six)} {_written(remote, six)}" for six in (False, True)]
        known = [(self._by_ends[ends], ends) for ends in written if ends in self._by_ends]
        if not known:
            return None
        (inode, state), ends = max(known)
        return _connection(ends, state, inode)

    def listeners(self, address: Address) -> list[Connection]:
        """Who may accept connections to *address*: several can share a port (SO_REUSEPORT)."""
        rows = [self.socket(inode) for inode in self._listening.get(f"{address.port:04X}", [])]
        found = [row for row in rows if row is not None]
        exact = [row for row in found if row.local.host == address.host]
        return exact or [row for row in found if row.local.anywhere]

    def knocking(self, listener: Connection) -> list[Connection]:
        """The open connections that have yet to be accepted by whoever has a *listener*."""
        return [row for row in self.clients(listener) if not row.inode]

    def clients(self, listener: Connection) -> list[Connection]:
        """The open connections to a *listener*, whether they were accepted or not."""
        port = f"{listener.local.port:04X}"
        rows = (_connection(*one) for one in self._established.get(port, ()))
        return [row for row in rows if listener in self.listeners(row.local)]

    @cached_property
    def _established(self) -> dict[str, list[tuple[str, str, int]]]:
        """By local port, as it is written: the ends, states and inodes of open connections to
        those who listen there."""
        found: dict[str, list[tuple[str, str, int]]] = {port: [] for port in self._listening}
        for ends, (inode, state) in self._by_ends.items():
            if int(state, 16) == _ESTABLISHED:
                port = ends.partition(" ")[0].rpartition(":")[2]
                if port in found:
                    found[port].append((ends, state, inode))
        return found


def namespace(pid: int) -> str:
    """What tells the network namespaces of two processes apart."""
    return link(PROC / str(pid) / "ns" / "net") or f"of {pid}"


def _text(pid: int, name: str) -> str:
    try:
        return text(PROC / str(pid) / "net" / name, _MAX_BYTES) or ""
    except OSError:
        return ""


def _connection(ends: str, state: str, inode: int) -> Connection:
    local, remote = ends.split(" ")
    return Connection(parse(local), parse(remote), int(state, 16), inode)


def _written(address: Address, six: bool) -> str:
    """As the kernel's tables have it: the reverse of ``parse``."""
    host = address.host
    if six and len(host) == _IPV4:
        host = _MAPPED + host
    words = (host[at : at + 4][::-1] for at in range(0, len(host), 4))
    return f"{b''.join(words).hex().upper()}:{address.port:04X}"


def parse(text: str) -> Address:
    """``0100007F:1F90``: 32-bit words in the machine's byte order, then the port."""
    host, _, port = text.partition(":")
    raw = bytes.fromhex(host)
    swapped = b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4))
    return Address(undressed(swapped), int(port, 16))


def undressed(host: bytes) -> bytes:
    """An IPv4 address as such, also if it came mapped into IPv6."""
    return host[12:] if host.startswith(_MAPPED) else host
