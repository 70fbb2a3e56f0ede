"""The connections of event loops of asyncio, and those that nothing is read from until somebody
asks for it: their transports are paused, as protocols do while they keep more than enough of what
nobody has taken yet."""

from collections.abc import Iterable, Iterator
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.memory.damage import MemoryReadError

_OWN = ("asyncio", "__main__")
_MOST = 1024
"""Connections of one event loop that are looked at."""
_MOST_OF_CHILD = 8
"""Pipes of one child process."""


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


def pipes(fields: Fields, loops: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The descriptor and the transport of each pipe to a child process: what the handles of a
    loop's selector call for it is a method of that. A pipe that is not read from for now is none of
    the selector's: it is found by another one of the same child.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    for loop in loops:
        known = fields.path(loop, "_selector", "_fd_to_key")
        if fields.objects.kind(known) != "dict":
            continue
        for number, key in islice(fields.objects.items(known), _MOST):
            descriptor = fields.containers.integer(number)
            for handle in handles(fields.objects, fields.containers, key):
                callback = fields.containers.slots(handle).get("_callback", 0)
                transport = fields.objects.bound_to(callback)
                if descriptor is not None and fields.of(transport, "_pipe"):
                    yield descriptor, transport
                    yield from _of_same_child(fields, transport)


def _of_same_child(fields: Fields, transport: int) -> Iterator[tuple[int, int]]:
    """The pipes of the child to which *transport* leads."""
    known = fields.path(transport, "_protocol", "proc", "_pipes")
    if fields.objects.kind(known) != "dict":
        return
    for _, protocol in islice(fields.objects.items(known), _MOST_OF_CHILD):
        other = fields.of(protocol, "pipe")
        descriptor = fields.containers.integer(fields.of(other, "_fileno"))
        if descriptor is not None and other != transport:
            yield descriptor, other


def handles(objects: Objects, containers: Containers, key: int) -> list[int]:
    """What a loop calls when a file can be read from or written to, of a `selectors.SelectorKey`:
    its fourth item."""
    *_, data = objects.tuple_items(key) or (0,)
    return containers.sequence(data) if data else []


def _if_paused(fields: Fields, descriptor: int, transport: int) -> Iterator[tuple[int, str]]:
    if not fields.containers.true(fields.of(transport, "_paused")):
        return
    protocol = _protocol(fields, transport)
    try:
        yield descriptor, fields.containers.type_title(protocol) if protocol else ""
    except MemoryReadError:
        yield descriptor, ""


def protocol_name(fields: Fields, transport: int) -> str:
    """``slixmpp's ClientXMPP``, of the protocol of a transport; empty: it is one of asyncio's own,
    or cannot be told."""
    protocol = _protocol(fields, transport)
    return owned_by_package(fields.containers, protocol) if protocol else ""


def owned_by_package(containers: Containers, address: int) -> str:
    """``slixmpp's ClientXMPP``, of an object of a class that is neither asyncio's nor the main
    module's; else nothing."""
    module, _, name = containers.type_title(address).rpartition(".")
    package = module.partition(".")[0]
    return f"{package}'s {name}" if package and package not in _OWN else ""


def _protocol(fields: Fields, transport: int) -> int:
    protocol = fields.of(transport, "_protocol")
    return fields.of(protocol, "_app_protocol") or protocol  # behind TLS
