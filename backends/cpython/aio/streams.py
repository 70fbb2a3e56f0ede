"""What a task awaits that comes from outside: the network, or a child process."""

import re
from collections.abc import Mapping

from hangtui.backends.cpython.aio.awaited import Awaited, InHand
from hangtui.backends.cpython.aio.below_packages import package_of_file
from hangtui.backends.cpython.aio.child_pipes import left_open
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.libuv import Libuv
from hangtui.backends.cpython.aio.primitives import of_asyncio
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.ipc.addresses import TcpTable
from hangtui.backends.ipc.socket_links import inode_of
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.procfs.files import PROC, link
from hangtui.model import Ends, bracketed, clean

_TEXTS = {
    ("base_events.py", "serve_forever"): "connections (Server.serve_forever)",
    ("base_events.py", "wait_closed"): "the end of its server's connections",
    ("streams.py", "_drain_helper"): "its peer to read what it has sent (StreamWriter.drain)",
    ("streams.py", "wait_closed"): "the end of a connection",
    ("unix_events.py", "_sock_sendfile_native"): "a file to be sent",
}
_WAYS = (
    *("transport", "_transport", "protocol", "_protocol", "connection", "_connection"),
    *("conn", "_conn", "writer", "_writer", "reader", "_reader", "stream", "_stream"),
)
"""Attributes by which objects of libraries lead to their connection."""
_STREAMS = "/asyncio/streams.py"
_STEPS, _MOST_ASKED = 3, 500
"""Of such a way; tasks of one interpreter whose connections are looked for."""
_SOCKET, _HEAD, _CLOSED = "_socket.socket", 16, 0xFFFFFFFF
"""Modules/socketmodule.c: behind what every object begins with, its descriptor: -1 if it has none
any more."""
_MOST_PIDS = 1 << 22
"""PID_MAX_LIMIT of the kernel."""
_HANDSHAKES = frozenset(
    {("base_events.py", "_create_connection_transport"), ("base_events.py", "start_tls")}
)
"""Where a loop waits for one. Of a connection that is not encrypted, it does so for a moment."""
_ENDS_OF_PROCESSES = frozenset({"wait", "_wait", "communicate"})
_DRAINS = re.compile("drain")
"""How libraries call functions that wait until a transport lets them write on."""


class Streams:
    """Recognises waits of tasks of one interpreter by the frames of asyncio that they are in."""

    def __init__(self, objects: Objects, frames: Frames, containers: Containers) -> None:
        self._objects = objects
        self._frames = frames
        self._containers = containers
        self._near: dict[int, tuple[Ends, int] | None] = {}
        self._libuv = Libuv(objects)
        self._table: TcpTable | None = None

    def connection(self, frames: tuple[Frame, ...]) -> InHand | None:
        """The connection that the methods of a library have in hand which the innermost of *frames*
        are; None: they have none, or more than one. What another package waits for that they call
        has nothing to do with it."""
        found: dict[str, InHand] = {}
        inner = next((package_of_file(one) for one in frames if one.installed), "")
        for frame in frames:
            if not frame.in_library and not frame.installed:
                break
            if frame.installed and package_of_file(frame) != inner:
                break
            owner = self._frames.variables(frame).get("self", 0)
            if owner not in self._near and len(self._near) < _MOST_ASKED:
                self._near[owner] = self._nearby(owner)
            if near := self._near.get(owner):
                ends, transport = near
                found.setdefault(ends.remote, InHand(ends, frame.code.function, transport))
        return found.popitem()[1] if len(found) == 1 else None

    def full(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """The wait of a library's function for a connection that takes no more at the moment: its
        transport has told the protocol to stop writing. None: it is no such wait."""
        own = next((one for one in frames if of_asyncio(one.code.filename) is None), None)
        if own is None or not own.installed or not _DRAINS.search(own.code.bare_name):
            return None
        found = self.connection(frames)
        if found is None or not self._takes_no_more(found.transport):
            return None
        text = f"its peer {found.ends.remote} to read what it has sent ({found.function})"
        return Awaited(text, operation="send", transport=found.transport, ends=found.ends)

    def _takes_no_more(self, transport: int) -> bool:
        known = self._containers.members(transport)
        return self._containers.true(known.get("_protocol_paused", 0))

    def _nearby(self, owner: int) -> tuple[Ends, int] | None:
        """The ends of the nearest transport in reach of an object, and itself; None: there is
        none."""
        pending, seen = [(owner, 0)], {0, owner}
        for address, steps in pending:
            known = self._containers.members(address)
            if ends := self._ends_of(known) or self._by_kernel(address):
                return ends, address
            if steps < _STEPS:
                inner = [known[way] for way in _WAYS if known.get(way, 0) not in seen]
                seen.update(inner)
                pending += ((one, steps + 1) for one in inner)
        return None

    def of(self, frames: tuple[Frame, ...]) -> Awaited | None:
        """What a task waits for whose innermost frame is in the package asyncio."""
        file, function = frames[0].code.filename.rsplit("/", 1)[-1], frames[0].code.bare_name
        owner = self._frames.variables(frames[0]).get("self", 0)
        text = _TEXTS.get((file, function), "")
        if (file, function) == ("streams.py", "_wait_for_data"):
            ends = self._peer(owner)
            source = f" from {ends.remote}" if ends else ""
            called = [one for one in frames[1:3] if one.code.filename.endswith(_STREAMS)]
            method = f".{called[-1].code.bare_name}" if called else ""
            text = f"data{source} (StreamReader{method}{self._so_far(frames[1:3], owner)})"
            transport = self._transport(owner)
            return Awaited(text, operation="receive", transport=transport, ends=ends)
        if (file, function) == ("streams.py", "_drain_helper") and len(frames) > 1:
            writer = self._frames.variables(frames[1]).get("self", 0)
            transport, ends = self._transport(writer), self._peer(writer)
            return Awaited(text, operation="send", transport=transport, ends=ends)
        if file == "selector_events.py" and function.startswith("sock_"):
            return self._plain_socket(frames[0], function)
        if (file, function) in _HANDSHAKES:
            return self._handshake(frames[0])
        if file in ("base_subprocess.py", "subprocess.py") and function in _ENDS_OF_PROCESSES:
            return self._child_end(owner)
        return Awaited(text) if text else None

    def _plain_socket(self, frame: Frame, function: str) -> Awaited:
        """A call of the loop's own for the socket that is given to it, which the program may close
        meanwhile: the loop does not notice that."""
        socket, number = self._frames.variables(frame).get("sock", 0), None
        if socket and _SOCKET in self._containers.classes(socket):
            number = self._objects.memory.u32(socket + _HEAD)
        if number == _CLOSED:
            text = f"a socket that was closed or detached meanwhile (loop.{function})"
            return Awaited(text)
        which = "" if number is None else f" on file descriptor {number}"
        return Awaited(f"the network (loop.{function}{which})", descriptor=number)

    def _handshake(self, frame: Frame) -> Awaited | None:
        """Which waits for the other side to agree on keys; None: nothing is encrypted there."""
        variables = self._frames.variables(frame)
        secure = variables.get("ssl", 0) or variables.get("ssl_protocol", 0)
        socket, number = variables.get("sock", 0), None
        if not secure or self._objects.kind(secure) == "NoneType":
            return None
        if socket and _SOCKET in self._containers.classes(socket):
            number = self._objects.memory.u32(socket + _HEAD)
        which = f" on file descriptor {number}" if number not in (None, _CLOSED) else ""
        text = f"its peer's part of the TLS handshake{which}"
        raw = variables.get("transport", 0) if variables.get("ssl_protocol") else 0
        return Awaited(
            text, operation="handshake", descriptor=number if which else None, transport=raw
        )

    def _transport(self, end: int) -> int:
        """Of a StreamReader or StreamWriter; 0: it cannot be told."""
        return self._objects.attributes(end).get("_transport", 0)

    def _so_far(self, callers: tuple[Frame, ...], reader: int) -> str:
        """``, 10 of 16 bytes have come``: how far the methods of a reader have got."""
        buffered = self._objects.attributes(reader).get("_buffer", 0)
        have = self._objects.size(buffered) if self._objects.kind(buffered) == "bytearray" else 0
        for frame in callers:
            function, variables = frame.code.bare_name, self._frames.variables(frame)
            size = self._containers.integer(variables.get("n", 0)) if variables.get("n") else None
            if function == "readexactly" and size is not None:
                return f", {have} of {size} bytes have come"
            if function == "readuntil" and have:
                return f", {have} bytes without a separator have come"
            if function == "read" and size == -1:
                return ", until the connection ends"
        return ""

    def _peer(self, stream: int) -> Ends | None:
        """The ends of a StreamReader or StreamWriter; None: its peer has no name."""
        transport = self._transport(stream)
        try:
            return self._ends_of(self._containers.members(transport)) or self._by_kernel(transport)
        except MemoryReadError:
            return None

    def _by_kernel(self, transport: int) -> Ends | None:
        """The ends of a connection of uvloop, which keeps no names of them; None: it is none, or
        the process does not run any more."""
        live = transport and self._objects.memory.is_live
        fd = self._libuv.descriptor(transport) if live else None
        if fd is None:
            return None
        pid = self._objects.memory.pid
        inode = inode_of(link(PROC / str(pid) / "fd" / str(fd)) or "")
        if inode is None:
            return None
        if self._table is None:
            self._table = TcpTable(pid)
        found = self._table.socket(inode)
        return found.ends if found is not None and not found.listens else None

    def _ends_of(self, transport: Mapping[str, int]) -> Ends | None:
        """By a transport's attributes; None: its peer has no name, or they are none of one."""
        peer = self._name_of(transport, "peername")
        return Ends(self._name_of(transport, "sockname") or None, peer) if peer else None

    def _name_of(self, transport: Mapping[str, int], end: str) -> str:
        """The name of an end; empty: it has none."""
        extra = transport.get("_extra", 0)
        try:
            if self._objects.kind(extra) != "dict":
                return ""
            peer = self._objects.named(extra).get(end, 0)
            if self._objects.kind(peer) == "str":
                name = self._objects.text(peer)
            else:
                parts = map(self._part, self._containers.sequence(peer)[:2])
                name = ":".join(map(bracketed, parts))
        except MemoryReadError:
            return ""
        return clean(name, 80)

    def _part(self, address: int) -> str:
        if self._objects.kind(address) == "str":
            return self._objects.text(address)
        return str(self._containers.integer(address))

    def _child_end(self, owner: int) -> Awaited:
        """Of a child: its own one, or that of what it has written to, by others that have that."""
        child = self._child(owner)
        name = f"process {child}" if child else "a child process"
        pipe = left_open(owner, self._objects, self._containers)
        if pipe is None:
            proof = "Process.wait: it waits for the exit of its child"
            return Awaited(f"the end of {name}", proof, process=child)
        text = f"the end of the {pipe.name} pipe of {name}, which has ended itself"
        proof = "Process.wait: it waits until the pipes of its child are at their end, too"
        return Awaited(text, proof, operation="end", transport=pipe.transport)

    def _child(self, owner: int) -> int:
        """Its number; 0: it cannot be told."""
        attributes = self._objects.attributes(owner)
        number = self._containers.integer(attributes.get("pid", attributes.get("_pid", 0)))
        return number if number is not None and 0 < number < _MOST_PIDS else 0
