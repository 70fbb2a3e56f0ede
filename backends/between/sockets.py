"""Who waits on a stream socket waits for the process at its other end, if it is on this machine."""

import socket
import struct
from dataclasses import replace

from hangtui.backends.between import addresses, calls, pipes, unixsockets
from hangtui.backends.between.addresses import Address, Connection, TcpTable
from hangtui.backends.between.calls import Access, Demand
from hangtui.backends.between.peer import Sleeper
from hangtui.backends.between.scene import Scene
from hangtui.backends.between.unixsockets import UnixSocket
from hangtui.backends.syscalls import signed
from hangtui.model import NodeKind, clean

_OUT_OF_SIGHT = "its other end is on another machine, or in another network namespace"
_TOO_LONG = "which its other end is, is not known: there are more connections than are looked at"
_PREFIX = "socket:["
_MAX_ADDRESS = 128


class Sockets:
    """Finds the other ends of sockets; reads each table once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._tables: dict[str, TcpTable] = {}
        self._listeners: dict[int, UnixSocket] | None = None

    def _table(self, pid: int) -> TcpTable:
        namespace = addresses.namespace(pid)
        if namespace not in self._tables:
            self._tables[namespace] = TcpTable(pid)
        return self._tables[namespace]

    def add(self, sleeper: Sleeper, demand: Demand, link: str) -> bool:
        """Add the wait if *link* is a socket."""
        if not link.startswith(_PREFIX):
            return False
        inode = int(link[len(_PREFIX) : -1])
        if not demand.polled:
            limit = self._scene.descriptors.has_timeout(sleeper.pid, demand.fd, demand.access)
            demand = replace(demand, expires=demand.expires or bool(limit), unsure=limit is None)
        if self._unix(sleeper, demand, inode):  # the kernel is quick to tell whether it is one
            return True
        tcp = self._table(sleeper.pid).socket(inode)
        if tcp is not None:
            self._tcp(sleeper, demand, tcp)
        else:
            label = f"socket (inode {inode})"
            node = self._scene.resource(NodeKind.SOCKET, f"{inode:#x}", label, sleeper)
            self._wait(sleeper, demand, node, "a socket")
        return True

    def _wait(self, sleeper: Sleeper, demand: Demand, node: str, what: str) -> None:
        reading = demand.access is Access.READ
        purpose = "for data" if reading else "for room to send"
        text = f"{demand.said}, {what}: it waits {purpose}"
        operation = "receive" if reading else "send"
        self._scene.wait(
            sleeper, node, text, operation, expires=demand.expires, unsure=demand.unsure
        )

    def _hold(
        self,
        sleeper: Sleeper,
        demand: Demand,
        node: str,
        inode: int,
        *,
        accepted: bool = True,
        paired: bool = False,
    ) -> None:
        """Add the processes that have the other end open, or that have yet to accept it.

        *paired*: it may be one of a pair, as event loops keep one for signal handlers to write to.
        """
        scene = self._scene
        holders = scene.descriptors.holders(f"{_PREFIX}{inode}]")
        to_itself = set(holders) == {sleeper.pid}
        if paired and demand.polled and sleeper.pid in holders:
            return
        if paired and to_itself and pipes.may_wake_itself(scene, sleeper):
            return
        weakest = scene.complete()
        for pid, fds in sorted(holders.items()):
            names = pipes.fd_names(fds)
            text = f"has the other end open ({names})"
            if not accepted:
                text = f"listens there ({names}) and has not accepted the connection"
            if to_itself:
                # What nobody has accepted is answered by nobody, however idle they are.
                scene.hold_by_own_process(node, sleeper, text, idling=accepted)
            else:
                scene.hold_by_process(node, pid, sleeper, text, weakest)

    # -- TCP ------------------------------------------------------------------------------------

    def _tcp(self, sleeper: Sleeper, demand: Demand, tcp: Connection) -> None:
        table = self._table(sleeper.pid)
        if tcp.listens:
            self._listening(sleeper, demand, f"TCP port {tcp.local}", tcp.inode)
            return
        other = table.other_end(tcp)
        label = f"TCP connection to {tcp.remote} (from {tcp.local})"
        note = None if other else _OUT_OF_SIGHT if table.whole else _TOO_LONG
        node = self._scene.resource(NodeKind.SOCKET, f"{tcp.inode:#x}", label, sleeper, note)
        self._wait(sleeper, demand, node, f"the TCP connection from {tcp.local} to {tcp.remote}")
        if other is None:
            return
        listener = None if other.inode else table.listener(tcp.remote)
        inode = other.inode or (listener.inode if listener else 0)
        if inode:
            self._hold(sleeper, demand, node, inode, accepted=listener is None)

    def _listening(self, sleeper: Sleeper, demand: Demand, name: str, inode: int) -> None:
        note = "anybody may connect to it"
        node = self._scene.resource(NodeKind.SOCKET, f"{inode:#x}", name, sleeper, note)
        text = f"{demand.said}: it waits until somebody connects to {name}"
        self._scene.wait(sleeper, node, text, "accept", expires=demand.expires)

    # -- Unix -----------------------------------------------------------------------------------

    def _unix(self, sleeper: Sleeper, demand: Demand, inode: int) -> bool:
        try:
            own = unixsockets.find(inode)
            listener = self._listener_for(inode) if own and own.peer == 0 else None
        except OSError as error:
            message = f"the other ends of Unix sockets are not known: {clean(str(error))}"
            self._scene.notice(message)
            return False
        if own is None:
            return False
        if own.peer is None and own.name and demand.access is Access.READ and own.connects_two:
            self._listening(sleeper, demand, f"Unix socket {own.name}", inode)
            return True
        label = self._label(own, listener)
        node = self._scene.resource(NodeKind.SOCKET, f"{inode:#x}", label, sleeper)
        self._wait(sleeper, demand, node, "a Unix socket")
        other = listener.inode if listener else own.peer
        if other and own.connects_two:
            accepted = listener is None
            self._hold(sleeper, demand, node, other, accepted=accepted, paired=accepted)
        return True

    def _listener_for(self, inode: int) -> UnixSocket | None:
        """Who has yet to accept the connection of the socket with this inode."""
        if self._listeners is None:
            self._listeners = unixsockets.listeners()
        return self._listeners.get(inode)

    def _label(self, own: UnixSocket, listener: UnixSocket | None) -> str:
        peer = None
        if own.peer:
            peer = unixsockets.find(own.peer)
        name = next((one.name for one in (own, listener, peer) if one and one.name), None)
        if name:
            return f"Unix socket {name} (inode {own.inode})"
        holders = self._scene.descriptors.holders(f"{_PREFIX}{own.peer}]") if own.peer else {}
        if len(holders) == 1:
            return f"Unix socket to process {next(iter(holders))} (inode {own.inode})"
        return f"Unix socket (inode {own.inode})"

    # -- connect and accept ---------------------------------------------------------------------

    def add_call(self, sleeper: Sleeper) -> bool:
        """Add the wait of a thread in accept or connect."""
        number, arguments = sleeper.where.number, sleeper.where.arguments
        fd = signed(arguments[0])
        if number in (calls.SYS_ACCEPT, calls.SYS_ACCEPT4):
            demand = Demand(fd, Access.READ, "accept")
            return self.add(sleeper, demand, self._scene.descriptors.link(sleeper.pid, fd) or "")
        if number == calls.SYS_CONNECT:
            raw = sleeper.peer.memory.read(arguments[1], min(arguments[2], _MAX_ADDRESS))
            name = _peer_name(raw)
            node = self._scene.resource(NodeKind.SOCKET, f"{name}/connect", name, sleeper)
            text = f"connect(2) on fd {fd}: it waits until {name} answers"
            # The kernel gives up on an address that does not answer, after minutes.
            self._scene.wait(sleeper, node, text, "connect", expires=True)
            return True
        return False


def _peer_name(raw: bytes) -> str:
    """A ``struct sockaddr`` in words."""
    family = int.from_bytes(raw[:2], "little")
    if family == socket.AF_INET and len(raw) >= 8:
        return f"TCP {Address(raw[4:8], *struct.unpack('>H', raw[2:4]))}"
    if family == socket.AF_INET6 and len(raw) >= 24:
        host = addresses.undressed(raw[8:24])
        return f"TCP {Address(host, *struct.unpack('>H', raw[2:4]))}"
    if family == socket.AF_UNIX:
        path = raw[2:].lstrip(b"\0").partition(b"\0")[0].decode("utf-8", "replace")
        return f"Unix socket {clean(path)}"
    return "a socket"
