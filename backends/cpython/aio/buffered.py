"""Streams at which nobody waits: what comes there is kept until somebody asks for it, and calls
nobody."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_STREAM = "asyncio.streams.StreamReaderProtocol"
_OF_ANYIO = "anyio._backends._asyncio.StreamProtocol"
_OF_AIOHTTP = "aiohttp.client_proto.ResponseHandler"
"""A client's connection; without a parser of its own, which websockets have, it puts what comes
into its queue, and the body of an answer into that."""
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
            left = {
                _STREAM: self._is_left,
                _OF_ANYIO: self._is_left_by_anyio,
                _OF_AIOHTTP: self._is_left_by_aiohttp,
            }.get(self._objects.qualified_type(protocol) if protocol else "")
            return left is not None and left(protocol)
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
        return self._is_free(reader)

    def _is_left_by_anyio(self, protocol: int) -> bool:
        event = self._containers.members(protocol).get("read_event", 0)
        waiters = self._containers.members(event).get("_waiters", 0) if event else 0
        return bool(waiters) and not self._containers.sequence(waiters)

    def _is_left_by_aiohttp(self, protocol: int) -> bool:
        fields = self._containers.members(protocol)
        known = "_payload_parser" in fields and "_payload" in fields
        body = self._something(fields.get("_payload", 0))
        parsed = self._something(fields.get("_payload_parser", 0))
        return known and not parsed and self._is_free(protocol) and not (
            body and not self._is_free(body)
        )  # fmt: skip

    def _is_free(self, reader: int) -> bool:
        """Whether its field for the one that waits is there, and empty."""
        waiter = self._containers.members(reader).get("_waiter", 0)
        return bool(waiter) and not self._something(waiter)

    def _something(self, value: int) -> int:
        return 0 if self._objects.kind(value) in (None, "NoneType") else value
