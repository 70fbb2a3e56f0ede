"""What is waited for, and lies as an item in a queue that only who waits takes from: further out on
its own stack stands the loop that would come to it next."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeId, OwnQueue, clean

_TAKES = frozenset({"get", "get_nowait", "popleft", "pop"})
_MOST_ITEMS = 50


class OwnQueues:
    """Looks through the stacks of one interpreter."""

    def __init__(self, values: Values, codes: CodeReader, mentions: Mentions, near: Near) -> None:
        self._values = values
        self._codes = codes
        self._mentions = mentions
        self._near = near

    def of(
        self,
        stacks: Mapping[NodeId, tuple[Frame, ...]],
        waiting: Collection[tuple[NodeId, int]],
    ) -> dict[int, OwnQueue]:
        """By what is waited for; *waiting*: who waits for what.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found: dict[int, OwnQueue] = {}
        for node, target in waiting:
            for frame in stacks.get(node, ())[1:]:
                for mention, queue in self._taking(frame):
                    others = (stack for one, stack in stacks.items() if one != node)
                    if self._lies_in(queue, target) and not self._taken_by(others, queue):
                        found[target] = self._told(mention, frame)
        return found

    def _taking(self, frame: Frame) -> Iterator[tuple[Mention, int]]:
        """Where a frame's code takes an item from a queue, and which that is."""
        for mention in self._mentions.of(frame.code):
            if mention.name in _TAKES and mention.receiver is not None:
                with suppress(MemoryReadError):
                    queue = self._values.of(mention.receiver, self._values.frame(frame))
                    if queue:
                        yield mention, queue

    def _lies_in(self, queue: int, target: int) -> bool:
        """Whether an item of the queue leads to what is waited for."""
        with suppress(MemoryReadError):
            items = list(self._near.items(queue) or ())[:_MOST_ITEMS]
            return any(target in self._near.targets(one) for one in items)
        return False

    def _taken_by(self, stacks: Iterable[Iterable[Frame]], queue: int) -> bool:
        frames = (frame for stack in stacks for frame in stack)
        return any(one == queue for frame in frames for _, one in self._taking(frame))

    def _told(self, mention: Mention, frame: Frame) -> OwnQueue:
        name = mention.text(frame.code).rpartition(".")[0]
        line = self._codes.line(frame.code, mention.offset)
        file = frame.code.file
        return OwnQueue(clean(name, 80), clean(f"{frame.code.function} ({file}:{line})", 120))
