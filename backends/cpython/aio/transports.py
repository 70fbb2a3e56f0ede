"""The connections of event loops of asyncio, and those that nothing is read from until somebody
asks for it: their transports are paused, as protocols do while they keep more than enough of what
nobody has taken yet."""

from collections.abc import Iterable, Iterator

from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.memory.damage import MemoryReadError

_MOST = 1024
"""Connections of one event loop that are looked at."""


def paused(fields: Fields, loops: Iterable[int]) -> Iterator[tuple[int, str]]:
    """The descriptors of those that are, with the type of each one's protocol.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    for descriptor, transport in connections(fields, loops):
        yield from _if_paused(fields, descriptor, transport)


def connections(fields: Fields, loops: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The descriptor and the transport of each.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    for loop in loops:
        known = fields.path(loop, "_transports", "data")  # a WeakValueDictionary
        if fields.objects.kind(known) != "dict":
            continue
        for count, (number, reference) in enumerate(fields.objects.items(known)):
            if count == _MOST:
                break
            descriptor = fields.containers.integer(number)
            transport = fields.containers.referent(reference)
            if descriptor is not None and transport is not None:
                yield descriptor, transport


def _if_paused(fields: Fields, descriptor: int, transport: int) -> Iterator[tuple[int, str]]:
    if not fields.containers.true(fields.of(transport, "_paused")):
        return
    protocol = fields.of(transport, "_protocol")
    protocol = fields.of(protocol, "_app_protocol") or protocol  # behind TLS
    try:
        yield descriptor, fields.containers.type_title(protocol) if protocol else ""
    except MemoryReadError:
        yield descriptor, ""
