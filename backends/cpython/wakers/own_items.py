"""Who waits until all items of a queue are done, one of which it has in hand itself.

Further out on its stack stands the code that has taken an item from there, and reports it done
further down, before it takes the next one: nobody else is to report that item.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Complement, CouldWake, NodeId

_TAKES, _REPORTS = frozenset({"get", "get_nowait"}), "task_done"


class OwnItems:
    """Looks through the stacks of one interpreter."""

    def __init__(self, values: Values, mentions: Mentions) -> None:
        self._values = values
        self._mentions = mentions

    def of(
        self, stacks: Mapping[NodeId, tuple[Frame, ...]], joins: Iterable[tuple[NodeId, int]]
    ) -> Collection[tuple[NodeId, int]]:
        """Those of *joins* that are such waits: who waits for the end of which queue.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        return {
            (node, queue)
            for node, queue in joins
            if any(self._has_one(frame, queue) for frame in stacks.get(node, ())[1:])
        }

    def _has_one(self, frame: Frame, queue: int) -> bool:
        """Whether the last of these calls above the line of a frame takes an item, and the first
        one below reports it. A call at that very place has not returned."""
        calls = sorted(self._calls(frame, queue))
        before = [name for start, called, name in calls if called < frame.instruction]
        after = [name for start, called, name in calls if start > frame.instruction]
        return before[-1:] == ["get"] and after[:1] == [_REPORTS]

    def _calls(self, frame: Frame, queue: int) -> Iterator[tuple[int, int, str]]:
        """Where its code calls one of these methods of the queue, and which."""
        with suppress(MemoryReadError):
            scope = self._values.frame(frame)
            for one in self._mentions.of(frame.code):
                name = "get" if one.name in _TAKES else one.name
                if name not in ("get", _REPORTS) or one.receiver is None:
                    continue
                if self._values.of(one.receiver, scope) == queue:
                    yield one.start, one.called, name


def joins_of(
    known: Mapping[tuple[NodeId, NodeId], CouldWake], waiting: Collection[tuple[NodeId, int]]
) -> list[tuple[NodeId, int]]:
    """Those who wait until a queue is done, and would report items of it themselves; *waiting*: who
    waits for what."""
    return [
        (candidate, address)
        for (resource, candidate), one in known.items()
        if one.complement is Complement.TASK_DONE
        and (address := resource.address) is not None
        and (candidate, address) in waiting
    ]


def mark_in_hand(
    known: dict[tuple[NodeId, NodeId], CouldWake], owners: Collection[tuple[NodeId, int]]
) -> None:
    """Note of *owners* that they have an item of the queue in hand."""
    for key, one in known.items():
        if (one.candidate, one.resource.address) in owners:
            known[key] = replace(one, in_hand=True)
