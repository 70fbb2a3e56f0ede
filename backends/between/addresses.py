"""TCP connections of a network namespace, from ``/proc/PID/net/tcp`` and ``tcp6``."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hangtui.backends.procfile import PROC, link, text

_LISTEN = 0x0A
"""TCP_LISTEN of net/tcp_states.h."""
_MAPPED = bytes(10) + b"\xff\xff"
_IPV4 = 4
_MAX_BYTES = 64 << 20
"""Of each table: 400,000 sockets."""


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

    def __str__(self) -> str:
        host = ipaddress.ip_address(self.host)
        return f"{host}:{self.port}" if host.version == 4 else f"[{host}]:{self.port}"


@dataclass(frozen=True, slots=True)
class Connection:
    """One line of the table."""

    local: Address
    remote: Address
    state: int
    inode: int
    """0: no process has it, or not yet."""

    @property
    def listens(self) -> bool:
        """Whether it accepts connections."""
        return self.state == _LISTEN


class TcpTable:
    """All TCP sockets that a process's network namespace has.

    Busy servers have tens of thousands, most of them closed already: only the lines that are asked
    for are taken apart.
    """

    def __init__(self, pid: int) -> None:
        self._texts = {name: _text(pid, name) for name in ("tcp", "tcp6")}
        self.whole = all(len(content) < _MAX_BYTES for content in self._texts.values())
        """Whether it could be read to its end."""

    def socket(self, inode: int) -> Connection | None:
        """The socket with this inode."""
        for content in self._texts.values():
            at = content.find(f" {inode} ")
            while at >= 0:
                start, end = content.rfind("\n", 0, at) + 1, content.find("\n", at)
                row = _row(content[start:end])
                if row is not None and row.inode == inode:
                    return row
                at = content.find(f" {inode} ", at + 1)
        return None

    def other_end(self, connection: Connection) -> Connection | None:
        """The socket at the other end, if it is in the same namespace."""
        local, remote = connection.remote, connection.local
        ends = (local, remote)
        # Either end may be an IPv6 socket that talks IPv4.
        written = {f"{_written(local, six)} {_written(remote, six)}" for six in (False, True)}
        found = self._lines(rf" *\d+: (?:{'|'.join(written)}) [^\n]*")
        rows = [row for row in found if (row.local, row.remote) == ends]
        return max(rows, key=lambda row: row.inode, default=None)

    def listener(self, address: Address) -> Connection | None:
        """Who accepts connections to *address*."""
        lines = rf" *\d+: [0-9A-F]+:{address.port:04X} \S+ {_LISTEN:02X} [^\n]*"
        for row in self._lines(lines):
            fits = row.local.anywhere or row.local.host == address.host
            if row.listens and row.local.port == address.port and fits:
                return row
        return None

    def _lines(self, pattern: str) -> Iterator[Connection]:
        whole = re.compile(f"^{pattern}$", re.MULTILINE)
        for content in self._texts.values():
            for found in whole.finditer(content):
                row = _row(found[0])
                if row is not None:
                    yield row


def namespace(pid: int) -> str:
    """What tells the network namespaces of two processes apart."""
    return link(PROC / str(pid) / "ns" / "net") or f"of {pid}"


def _text(pid: int, name: str) -> str:
    try:
        return text(PROC / str(pid) / "net" / name, _MAX_BYTES) or ""
    except OSError:
        return ""


def _row(line: str) -> Connection | None:
    words = line.split()
    try:
        return Connection(parse(words[1]), parse(words[2]), int(words[3], 16), int(words[9]))
    except (ValueError, IndexError):
        return None


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
