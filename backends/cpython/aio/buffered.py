"""Streams of asyncio at which nobody waits: what comes there is kept until somebody asks for it,
and calls nobody."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_PROTOCOL = "asyncio.streams.StreamReaderProtocol"
_READS = "_read_ready"
"""What a transport has called when data come."""


class BufferedStreams:
    """Recognises them in one interpreter."""

    def __init__(self, objects: Objects, containers: Containers) -> None:
        self._objects = objects
        self._containers = containers

    def keeps(self, handle: int) -> bool:
        """Whether what *handle* has called puts what comes into a buffer, and does no more."""
        try:
            callback = self._containers.slots(handle).get("_callback", 0)
            if self._objects.function_name(callback) != _READS:
                return False
            transport = self._objects.bound_to(callback)
            protocol = self._containers.members(transport).get("_protocol", 0)
            if not protocol or self._objects.qualified_type(protocol) != _PROTOCOL:
                return False
            return self._is_left(protocol)
        except MemoryReadError:
            return False

    def _is_left(self, protocol: int) -> bool:
        """Whether no reader of it is waited at."""
        fields = self._containers.members(protocol)
        weak = fields.get("_stream_reader_wr", 0)
        kept = self._something(fields.get("_strong_reader", 0))
        reader = kept or (self._containers.referent(weak) if self._something(weak) else None)
        if reader is None or not self._objects.kind(reader):
            return False
        return not self._something(self._containers.members(reader).get("_waiter", 0))

    def _something(self, value: int) -> int:
        return 0 if self._objects.kind(value) in (None, "NoneType") else value
