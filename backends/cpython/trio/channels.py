"""The ends of memory channels, of trio and of anyio: whoever uses the other one ends a wait."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.cpython.trio.places import own
from hangtui.backends.cpython.wakers.others import Other
from hangtui.dataclass import dataclass
from hangtui.model import NodeKind, clean, resource_id

_SENDS = (("trio", "MemorySendChannel"), ("anyio", "MemoryObjectSendStream"))
_RECEIVES = (("trio", "MemoryReceiveChannel"), ("anyio", "MemoryObjectReceiveStream"))
_MAX_FRAMES = 3_000
_MAX_OWN, _MAX_TEXT = 100, 120
_OTHERS = {
    "receive": ("open_send_channels", "sending"),
    "send": ("open_receive_channels", "receiving"),
}
"""What a channel counts of its other ends, by where it is waited."""


@dataclass(frozen=True, slots=True)
class End:
    """One of them."""

    address: int
    state: int
    """What both ends share."""
    sends: bool


class Channels:
    """Finds the ends that frames refer to, or objects in their variables."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._looked: dict[int, End | None] = {}

    def ends(self, states: Collection[int], frames: Iterable[Frame]) -> Iterator[End]:
        """Those of the channels with these *states*, each once.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found: set[int] = set()
        for value in values_near(self._fields, frames):
            end = self.end(value)
            if end is not None and end.state in states and value not in found:
                found.add(value)
                yield end

    def end(self, address: int) -> End | None:
        """What an object is an end of; None: of nothing."""
        if address not in self._looked:
            self._looked[address] = self._recognised(address)
        return self._looked[address]

    def _recognised(self, address: int) -> End | None:
        kind = self._fields.objects.kind(address) or ""
        for sends, classes in ((True, _SENDS), (False, _RECEIVES)):
            for package, name in classes:
                # Their classes are final: no other name can be one.
                if kind == name and self._fields.is_a(address, name, package=package):
                    return End(address, self._fields.of(address, "_state"), sends)
        return None


def open_ends(fields: Fields, state: int, function: str) -> tuple[int, str] | None:
    """How many of the other ends of a channel are open, for who waits in *function* at this one,
    and that in words: closing the last one ends a wait as well. None: it cannot be read."""
    name, what = _OTHERS[function]
    count = fields.containers.integer(fields.of(state, name))
    if count is None:
        return None
    ends = f"{what} end{'' if count == 1 else 's'} of its channel {'is' if count == 1 else 'are'}"
    return count, f"{count} {ends} open: closing the last one ends the wait as well"


def kept(
    fields: Fields, channels: Channels, state: int, function: str, frames: Sequence[Frame]
) -> tuple[str, ...]:
    """``send of collect (crawl.py:15)``: the variables of the program's *frames*, of a task that
    waits in *function*, that have all other ends that are open; none if there are others.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    known = open_ends(fields, state, function)
    found: dict[int, str] = {}
    for frame in frames[:_MAX_OWN]:
        if own(frame) or frame.in_library or frame.installed:
            continue
        for name, value in fields.frames.variables(frame).items():
            end = channels.end(value)
            other = end is not None and (end.state, end.sends) == (state, function == "receive")
            if other and not fields.containers.true(fields.of(value, "_closed")):
                place = f"{name} of {frame.code.bare_name} ({frame.place.rpartition('/')[2]})"
                found.setdefault(value, clean(place, _MAX_TEXT))
    return tuple(found.values()) if known and known[0] == len(found) else ()


def values_near(fields: Fields, frames: Iterable[Frame]) -> Iterator[int]:
    """What frames of the program refer to, and what is an attribute of that.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    objects = fields.objects
    owners: set[int] = set()
    for number, frame in enumerate(frames):
        if number > _MAX_FRAMES:
            return
        if own(frame) or frame.in_library:
            continue
        objects.memory.spent.objects(1)
        for value in fields.frames.variables(frame).values():
            yield value
            if value not in owners and objects.kind(value):
                owners.add(value)
                yield from objects.attributes(value).values()
                yield from fields.containers.slots(value).values()


def other_ends(
    pid: int, channels: Channels, waits: Iterable[Awaited], stacks: Iterable[Sequence[Frame]]
) -> Iterator[Other]:
    """The ends by which somebody could end one of *waits* for a channel.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    takes = {one.address: one.operation == "get" for one in waits if one.kind is NodeKind.QUEUE}
    if not takes:
        return
    for end in channels.ends(takes, (frame for stack in stacks for frame in stack)):
        if end.sends is takes[end.state]:
            node = resource_id(NodeKind.QUEUE, pid, end.state)
            yield Other(end.address, node, is_end=True)
