"""TCP connections of a network namespace, from ``/proc/PID/net/tcp`` and ``tcp6``."""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from hangtui.backends.procfile import PROC, link, text

_LISTEN = 0x0A
"""TCP_LISTEN of net/tcp_states.h."""
_MAPPED = bytes(10) + b"\xff\xff"


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
    """All TCP sockets that a process's network namespace has."""

    def __init__(self, pid: int) -> None:
        self._rows = [row for name in ("tcp", "tcp6") for row in _rows(pid, name)]
        self._by_inode = {row.inode: row for row in self._rows if row.inode}
        self._by_ends = {(row.local, row.remote): row for row in self._rows}

    def socket(self, inode: int) -> Connection | None:
        """The socket with this inode."""
        return self._by_inode.get(inode)

    def other_end(self, connection: Connection) -> Connection | None:
        """The socket at the other end, if it is in the same namespace."""
        return self._by_ends.get((connection.remote, connection.local))

    def listener(self, address: Address) -> Connection | None:
        """Who accepts connections to *address*."""
        for row in self._rows:
            fits = row.local.anywhere or row.local.host == address.host
            if row.listens and row.local.port == address.port and fits:
                return row
        return None


def namespace(pid: int) -> str:
    """What tells the network namespaces of two processes apart."""
    return link(PROC / str(pid) / "ns" / "net") or f"of {pid}"


def _rows(pid: int, name: str) -> Iterator[Connection]:
    try:
        lines = (text(PROC / str(pid) / "net" / name) or "").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        words = line.split()
        try:
            local, remote = parse(words[1]), parse(words[2])
            yield Connection(local, remote, int(words[3], 16), int(words[9]))
        except (ValueError, IndexError):
            continue


def parse(text: str) -> Address:
    """``0100007F:1F90``: 32-bit words in the machine's byte order, then the port."""
    host, _, port = text.partition(":")
    raw = bytes.fromhex(host)
    swapped = b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4))
    return Address(undressed(swapped), int(port, 16))


def undressed(host: bytes) -> bytes:
    """An IPv4 address as such, also if it came mapped into IPv6."""
    return host[12:] if host.startswith(_MAPPED) else host
