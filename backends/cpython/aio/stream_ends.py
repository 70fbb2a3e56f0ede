"""Streams of asyncio with both ends in one process: who uses the other end ends a wait at this one.

Only where the other end is a stream, too, and somebody's variables lead to it: who answers for a
protocol of the program's own is not seen.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hangtui.backends.cpython.aio.libuv import Libuv
from hangtui.backends.cpython.aio.tasks import TaskReading
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.trio.channels import values_near
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.wakers.others import Other
from hangtui.backends.cpython.wakers.sole import Sole
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Ends,
    Evidence,
    NodeKind,
    Resource,
    Source,
    Wait,
    bracketed,
    clean,
    label_of,
    resource_id,
    task_id,
)

_PACKAGE = "asyncio"
_USED = {"receive": "StreamWriter", "send": "StreamReader"}
"""What ends a wait for the other end, by what it is to do."""
_STREAM = "StreamReaderProtocol"
_MOST = 200
"""Waits of one process that are followed."""


@dataclass(frozen=True, slots=True)
class StreamWait:
    """A task that waits for who has the other end."""

    wait: Wait
    resource: Resource
    others: tuple[Other, ...]
    """The other end, and the streams that are made of it."""


class StreamEnds:
    """Finds them among the tasks of one interpreter."""

    def __init__(self, pid: int, fields: Fields) -> None:
        self._pid = pid
        self._fields = fields
        self._libuv = Libuv(fields.objects)

    def waits(
        self, tasks: Iterable[TaskReading], stacks: Iterable[Sequence[Frame]]
    ) -> Iterator[StreamWait]:
        """The waits of *tasks* for other ends that are in this process.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        waiting = [one for one in tasks if one.awaited and one.awaited.transport][:_MOST]
        if not waiting:
            return
        frames = [frame for stack in stacks for frame in stack]
        ends = list(self._ends(frames))
        made = {self._fields.of(self._protocol(one), "_stream_writer") for _, one, _ in ends}
        alone = Sole(self._fields.objects).of([end for end, *_ in ends], frames, made)
        names = {transport: self.names(transport) for _, transport, _ in ends}
        for task in waiting:
            here, there = self.names(task.awaited.transport) if task.awaited else ("", "")
            other = next((one for one, known in names.items() if known == (there, here)), 0)
            usable = task.awaited is not None and task.awaited.operation in _USED
            if usable and other and here and here != there and self._is_stream(other):
                wait, resource = self.wait(task, (here, there), "are streams of this process")
                wanted = _USED[wait.operation or ""]
                used = [end for end, one, kind in ends if one == other and kind == wanted]
                others = (Other(one, wait.target, is_end=True) for one in (other, *used))
                resource = replace(resource, unshared=bool(used) and alone.issuperset(used))
                yield StreamWait(wait, resource, tuple(others))

    def descriptor(self, transport: int) -> int | None:
        """Of its socket, or its pipe; None: it cannot be told."""
        lowest = self._lowest(transport)
        if (below := self._libuv.descriptor(lowest)) is not None:
            return below
        number = self._fields.of(lowest, "_sock_fd") or self._fields.of(lowest, "_fileno")
        return self._fields.containers.integer(number) if number else None

    def wait(self, task: TaskReading, names: tuple[str, str], proof: str) -> tuple[Wait, Resource]:
        """That a task waits for what comes over a connection, with that; *names*: of its ends, its
        own first; *proof*: what both ends are."""
        awaited = task.awaited
        assert awaited is not None
        address = awaited.transport or awaited.connection
        node = resource_id(NodeKind.SOCKET, self._pid, address)
        here, there = names
        name = f"TCP connection to {there}"
        own = f"from {here}"
        text = f"{awaited.text}; both ends of the connection {here} - {there} {proof}"
        evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, text, task.place)
        operation = awaited.operation if awaited.transport else None
        wait = Wait(task_id(self._pid, task.address), node, evidence, awaited.expires, operation)
        label = label_of(name, own)
        resource = Resource(node, NodeKind.SOCKET, label, self._pid, address, name=name, detail=own)
        return wait, replace(resource, ends=Ends(here, there))

    def _ends(self, frames: Iterable[Frame]) -> Iterator[tuple[int, int, str]]:
        """Streams that the program refers to: the object, its transport, and its class."""
        fields, looked = self._fields, set[int]()
        for value in values_near(fields, frames):
            if value in looked:
                continue
            looked.add(value)
            for name in _USED.values():
                if fields.is_a(value, name, package=_PACKAGE):
                    transport = fields.of(value, "_transport")
                    if transport:
                        yield value, transport, name

    def names(self, transport: int) -> tuple[str, str]:
        """The addresses of this end and of the other one; empty where it has none."""
        extra = self._fields.of(self._lowest(transport), "_extra")
        if self._fields.objects.kind(extra) != "dict":
            return "", ""
        known = self._fields.objects.named(extra)
        return self._name(known.get("sockname", 0)), self._name(known.get("peername", 0))

    def _lowest(self, transport: int) -> int:
        """The one that has the socket: that of TLS has it from another one."""
        below = self._fields.path(transport, "_ssl_protocol", "_transport")
        return below or transport

    def _is_stream(self, transport: int) -> bool:
        return self._fields.is_a(self._protocol(transport), _STREAM, package=_PACKAGE)

    def _protocol(self, transport: int) -> int:
        """The one that gets what comes; of a server's stream, it has the writer, too."""
        above = self._fields.path(transport, "_ssl_protocol", "_app_protocol")
        return above or self._fields.of(transport, "_protocol")

    def _name(self, address: int) -> str:
        """``127.0.0.1:5432``, of a pair or, with IPv6, of more."""
        host, port = (*self._fields.containers.sequence(address)[:2], 0, 0)[:2]
        number = self._fields.containers.integer(port) if port else None
        if self._fields.objects.kind(host) != "str" or number is None:
            return ""
        text = clean(self._fields.objects.text(host), 80)
        return f"{bracketed(text)}:{number}"
