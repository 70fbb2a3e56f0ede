"""Where a store of PyTorch is, at which the members of a group meet: read out of its object of C++,
below those that only add a prefix."""

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

_KINDS = frozenset({"TCPStore", "PrefixStore"})
_FIELDS = (24, 32)
"""Where a store has its text: behind the table of its functions, one or two counts, a timeout."""
_TEXT, _MOST_TEXT, _LAYERS = 32, 253, 5


def address_of(objects: Objects, store: int) -> tuple[str, int] | None:
    """The host and the port of a store; None: it is none, or another kind.

    Raises:
        MemoryReadError: it cannot be read.
    """
    if (objects.kind(store) or "").rpartition(".")[2] not in _KINDS:
        return None
    memory = objects.memory
    field = _field(objects, memory.u64(store + objects.layout.header))
    for _ in range(_LAYERS):
        if field is None:
            return None
        below = _field(objects, memory.u64(field + _TEXT))
        if below is None:
            port, host = memory.u32(field + _TEXT) & 0xFFFF, text_at(objects, field)
            return (host, port) if host and port else None
        field = below
    return None


def _field(objects: Objects, store: int) -> int | None:
    """Where a store has its text, a prefix or a host; None: there is none at that address."""
    if not store or store & 7:
        return None
    return next((store + one for one in _FIELDS if text_at(objects, store + one)), None)


def text_at(objects: Objects, address: int) -> str | None:
    """A `std::string` of some printable characters; None: it is none."""
    try:
        start, length = objects.memory.words(address, 2)
        if not 0 < length <= _MOST_TEXT:
            return None
        text = objects.memory.read(start, length).decode("ascii", "replace")
    except MemoryReadError:
        return None
    return text if text.isprintable() and "\ufffd" not in text else None
