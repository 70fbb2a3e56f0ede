"""Who waits on a stream socket waits for the process at its other end, if it is on this machine."""

import socket
from dataclasses import replace

from hangtui.backends.ipc import (
    addresses,
    encrypted,
    other_ends,
    own_pairs,
    unixsockets,
)
from hangtui.backends.ipc.addresses import Connection, TcpTable
from hangtui.backends.ipc.channel_calls import ACCEPTS, Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.ipc.socket_words import nearby, peer_name, tcp_note
from hangtui.backends.ipc.tcp_traffic import traffic_between
from hangtui.backends.ipc.unixsockets import UnixSocket
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import NodeId, NodeKind, clean, label_of

_ACCEPT = "accept"
_NO_OTHER_END = "nobody is connected to its other end"
_NOT_SEEN = "what kind of socket it is cannot be seen"
_MAX_ADDRESS = 128
_DNS = ":53"
"""How the addresses of name servers end."""


class Sockets:
    """Finds the other ends of sockets; reads each table once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._tables: dict[str, TcpTable] = {}
        self._listeners: list[UnixSocket] | None = None
        self._pending: dict[int, UnixSocket] = {}

    def table(self, pid: int) -> TcpTable:
        """The TCP sockets of a process's network namespace."""
        namespace = addresses.namespace(pid)
        if namespace not in self._tables:
            self._tables[namespace] = TcpTable(pid)
        return self._tables[namespace]

    def listener(self, pid: int, inode: int) -> str | None:
        """What the socket with this inode is called if it accepts connections; None: it does not,
        or that cannot be seen."""
        if (own := self._unix_socket(inode)) is not None:
            return f"Unix socket {own.name or 'socket'}" if own.listens else None
        tcp = self.table(pid).socket(inode)
        return f"TCP port {tcp.local}" if tcp is not None and tcp.listens else None

    def far_ends(self, pid: int, inode: int) -> list[int]:
        """The inode at the other end of a connection on this machine, or of the listeners that have
        yet to accept it; none: that is not known."""
        if (own := self._unix_socket(inode)) is not None:
            return [own.peer] if own.peer and own.connects_two else []
        table = self.table(pid)
        tcp = table.socket(inode)
        other = table.other_end(tcp) if tcp is not None and not tcp.listens else None
        if tcp is None or other is None:
            return []
        if other.unaccepted and table.whole:
            return [one.inode for one in table.listeners(tcp.remote) if one.inode]
        return [other.inode] if other.inode else []

    @staticmethod
    def _unix_socket(inode: int) -> UnixSocket | None:
        try:
            return unixsockets.find(inode)
        except OSError:
            return None

    def add(self, sleeper: Sleeper, demand: Demand, link: str) -> bool:
        """Add the wait if *link* is a socket."""
        inode = inode_of(link)
        if inode is None:
            return False
        if not demand.polled:
            limit = self._scene.descriptors.has_timeout(sleeper.pid, demand.fd, demand.access)
            demand = replace(demand, expires=demand.expires or bool(limit), unsure=limit is None)
        if self._unix(sleeper, demand, inode):  # the kernel is quick to tell whether it is one
            return True
        tcp = self.table(sleeper.pid).socket(inode)
        if tcp is not None:
            self._tcp(sleeper, demand, tcp)
        else:
            self._other(sleeper, demand, inode)
        return True

    def _other(self, sleeper: Sleeper, demand: Demand, inode: int) -> None:
        """Neither a Unix socket nor one of TCP that was there when the tables were read."""
        nature = self._scene.descriptors.nature(sleeper.pid, demand.fd)
        family, kind, accepts, peer = nature or (0, 0, False, None)
        name = "socket"
        if kind == socket.SOCK_DGRAM and family in (socket.AF_INET, socket.AF_INET6):
            name = f"UDP {name}"
        elif family == socket.AF_UNIX:
            name = f"Unix {name}"
        # Who calls accept has a listener, whatever can be seen of it.
        if accepts or demand.call == _ACCEPT:
            self._listening(sleeper, demand, name, inode, f"inode {inode}")
            return
        name = f"{name} to {peer}" if peer else name
        if peer and name.startswith("UDP") and peer.endswith(_DNS):
            name = f"name server {peer} (DNS)"
        note = _NOT_SEEN if nature is None else None
        node = self._scene.resource(
            NodeKind.SOCKET, f"{inode:#x}", name, sleeper, note, f"inode {inode}"
        )
        reads = "data" if nature is None else "message" if peer is None else "receive"
        self._wait(sleeper, demand, node, "a socket", reads)

    def _wait(
        self, sleeper: Sleeper, demand: Demand, node: NodeId, what: str, reads: str = "receive"
    ) -> None:
        """Add the wait; *reads*: what it is to the reader: to ``receive`` from the one at the other
        end, or a ``message`` from anybody."""
        reading = demand.access is Access.READ
        purpose = "for data" if reading else "for room to send"
        text = f"{demand.said}, {what}: it waits {purpose}"
        operation = reads if reading else "send"
        self._scene.wait(
            sleeper, node, text, operation, expires=demand.expires, unsure=demand.unsure
        )
        encrypted.mark(self._scene, sleeper, demand, node)

    # -- TCP ------------------------------------------------------------------------------------

    def _tcp(self, sleeper: Sleeper, demand: Demand, tcp: Connection) -> None:
        table = self.table(sleeper.pid)
        if tcp.listens:
            self._listening(sleeper, demand, f"TCP port {tcp.local}", tcp.inode)
            return
        if tcp.begun:
            name = f"TCP port {tcp.remote}"
            node = self._scene.resource(NodeKind.SOCKET, f"{name}/connect", name, sleeper)
            text = f"{demand.said}, a socket in SYN_SENT: it waits until {name} answers"
            self._scene.wait(sleeper, node, text, "connect", expires=True)
            self._accepts(sleeper, node, demand.fd, tcp, table)
            return
        other = table.other_end(tcp)
        name = tcp.ends.name
        note = tcp_note(tcp, other, whole=table.whole)
        if other is not None and own_pairs.wakes_hub(self._scene, sleeper, demand, other.inode):
            wakes = own_pairs.wakes(self._scene, sleeper, demand, other.inode)
            name, note = own_pairs.name_of_pair(self._scene, sleeper, demand, wakes_up=wakes)
        node = self._scene.resource(
            NodeKind.SOCKET, f"{tcp.inode:#x}", name, sleeper, note, ends=tcp.ends
        )
        known = self._scene.facts.resources
        known[node] = replace(known[node], traffic=traffic_between(tcp, other, table))
        self._wait(sleeper, demand, node, f"the TCP connection from {tcp.local} to {tcp.remote}")
        self.hold_by_other_end(sleeper, demand, node, tcp)

    def hold_by_other_end(
        self, sleeper: Sleeper, demand: Demand, node: NodeId, tcp: Connection
    ) -> None:
        """Add who has the other end of a connection, or may accept it."""
        table = self.table(sleeper.pid)
        other = table.other_end(tcp)
        if other is not None and other.inode:
            other_ends.hold(self._scene, sleeper, demand, node, [other.inode], pair=False)
        elif other is not None and other.unaccepted:
            listeners = [one.inode for one in table.listeners(tcp.remote) if one.inode]
            other_ends.hold(self._scene, sleeper, demand, node, listeners, accepted=False)

    def _listening(
        self, sleeper: Sleeper, demand: Demand, name: str, inode: int, detail: str | None = None
    ) -> None:
        note, called = "anybody may connect to it", label_of(name, detail)
        node = self._scene.resource(NodeKind.SOCKET, f"{inode:#x}", name, sleeper, note, detail)
        text = f"{demand.said}: it waits until somebody connects to {called}"
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
        if own.listens:
            name = f"Unix socket {own.name or 'socket'}"
            self._listening(sleeper, demand, name, inode, None if own.name else f"inode {inode}")
            return True
        name, note = self._name(sleeper, demand, own, listener)
        node = self._scene.resource(
            NodeKind.SOCKET, f"{inode:#x}", name, sleeper, note, f"inode {inode}"
        )
        reads = "receive" if own.connects_two else "message"
        self._wait(sleeper, demand, node, "a Unix socket", reads)
        other = listener.inode if listener else own.peer
        if other and (own.connects_two or demand.access is Access.WRITE):  # it takes datagrams
            pair = not own_pairs.answered(self._scene, sleeper, other)
            accepted = listener is None
            other_ends.hold(
                self._scene, sleeper, demand, node, [other], accepted=accepted, pair=pair
            )
        return True

    def _listener_for(self, inode: int) -> UnixSocket | None:
        """Who has yet to accept the connection of the socket with this inode."""
        self._all_listeners()
        return self._pending.get(inode)

    def _all_listeners(self) -> list[UnixSocket]:
        if self._listeners is None:
            self._listeners = unixsockets.listeners()
            self._pending = {inode: one for one in self._listeners for inode in one.pending}
        return self._listeners

    def _name(
        self, sleeper: Sleeper, demand: Demand, own: UnixSocket, listener: UnixSocket | None
    ) -> tuple[str, str | None]:
        """What a person calls it, and what is known of its other end."""
        peer = None
        if own.peer:
            peer = unixsockets.find(own.peer)
        note = None if own.peer or listener else _NO_OTHER_END
        name = next((one.name for one in (own, listener, peer) if one and one.name), None)
        if name:
            return f"Unix socket {name}", note
        holders = self._scene.descriptors.holders(link_of(own.peer)) if own.peer else {}
        wakes = own_pairs.wakes(self._scene, sleeper, demand, own.peer)
        if sleeper.pid in holders and (wakes or len(holders) == 1):
            return own_pairs.name_of_pair(self._scene, sleeper, demand, wakes_up=wakes)
        if len(holders) == 1:
            return f"Unix socket to process {next(iter(holders))}", note
        return "Unix socket", note

    # -- connect and accept ---------------------------------------------------------------------

    def add_call(self, sleeper: Sleeper) -> bool:
        """Add the wait of a thread in accept or connect."""
        call, arguments = sleeper.where.call, sleeper.where.arguments
        fd = signed(arguments[0])
        if call in ACCEPTS:
            demand = Demand(fd, Access.READ, _ACCEPT)
            return self.add(sleeper, demand, self._scene.descriptors.link(sleeper.pid, fd) or "")
        if call == "connect":
            raw = sleeper.peer.memory.read(arguments[1], min(arguments[2], _MAX_ADDRESS))
            name = peer_name(raw)
            node = self._scene.resource(NodeKind.SOCKET, f"{name}/connect", name, sleeper)
            text = f"connect(2) on fd {fd}: it waits until {name} answers"
            if int.from_bytes(raw[:2], "little") == socket.AF_UNIX:
                self._to_unix(sleeper, node, fd, raw)
                return True
            # The kernel gives up on an address that does not answer, after minutes.
            self._scene.wait(sleeper, node, text, "connect", expires=True)
            self._to_accept(sleeper, node, fd)
            return True
        return False

    def _to_unix(self, sleeper: Sleeper, node: NodeId, fd: int, address: bytes) -> None:
        """Add the wait of one that connects to a Unix socket, unix(7): until whoever listens there
        accepts one of the connections that its queue is full of."""
        name = unixsockets.name_of(address)
        limit = self._scene.descriptors.has_timeout(sleeper.pid, fd, Access.WRITE)
        text = (
            f"connect(2) on fd {fd}: the queue of connections to Unix socket {name} is full, and "
            "it waits until one of them is accepted"
        )
        unsure = limit is None
        self._scene.wait(sleeper, node, text, "connect", expires=bool(limit), unsure=unsure)
        try:
            found = [one.inode for one in self._all_listeners() if one.name == name]
        except OSError as error:
            message = f"who listens at Unix sockets is not known: {clean(str(error))}"
            self._scene.notice(message)
            return
        if name.startswith(("/", "@")):  # what another name leads to depends on the folder
            demand = Demand(fd, Access.WRITE, "connect")
            other_ends.hold(self._scene, sleeper, demand, node, found, accepted=False)

    def _to_accept(self, sleeper: Sleeper, node: NodeId, fd: int) -> None:
        """Add who listens at the address that a thread connects to, if it is one of this machine:
        the kernel does not answer while too many wait there to be accepted."""
        inode = inode_of(self._scene.descriptors.link(sleeper.pid, fd) or "")
        table = self.table(sleeper.pid)
        tcp = table.socket(inode) if inode is not None else None
        if tcp is not None:
            self._accepts(sleeper, node, fd, tcp, table)

    def _accepts(
        self, sleeper: Sleeper, node: NodeId, fd: int, tcp: Connection, table: TcpTable
    ) -> None:
        if nearby(tcp):
            listeners = [one.inode for one in table.listeners(tcp.remote) if one.inode]
            demand = Demand(fd, Access.WRITE, "connect")
            other_ends.hold(self._scene, sleeper, demand, node, listeners, accepted=False)
