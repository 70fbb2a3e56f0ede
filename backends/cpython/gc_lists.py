"""All objects that the garbage collector of an interpreter tracks, by its own lists.

What nothing in sight refers to is found here and nowhere else: a suspended greenlet is known only
to what is to wake it. A walk costs about a microsecond for each object of the program.
"""

from collections.abc import Iterator

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NULL_PAGES

_HEADS_WITHIN = 320
"""Bytes of the collector's state in which the heads of its generations lie."""
_FLAGS = 3
"""Bits of both links that the collector uses for itself (Include/internal/pycore_gc.h)."""
MAX_OBJECTS = 3_000_000
_LOOKS = 5
_REPAIRS = 200
"""How often a list is taken up again where it changed between the readings of two nodes."""
_CHARGED = 16
"""Objects of a list that cost as much as one that is looked into."""


class GcLists:
    """The lists of one interpreter; *collector*: the address of its ``_gc_runtime_state``."""

    def __init__(self, objects: Objects, collector: int) -> None:
        self._objects = objects
        self._memory = objects.memory
        self._collector = collector
        self.torn = False
        """A list changed while it was read, or there were too many objects: some are missing."""

    @property
    def kept(self) -> bool:
        """Whether this interpreter keeps such lists: without a GIL it does not, and before 3.8 what
        precedes an object is another size."""
        return not self._objects.layout.free_threaded and self._objects.layout.since(3, 8)

    def objects(self) -> Iterator[int]:
        """The address of each tracked object, as far as the lists can be followed.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        if not self.kept:
            return
        header = self._objects.layout.before_object
        left = MAX_OBJECTS
        heads = self._settled_heads()
        for head in heads:
            try:
                for node in self._list(head, set(heads) - {head}):
                    left -= 1
                    if left < 0:
                        self.torn = True
                        return
                    yield node + header
            except MemoryReadError:
                self.torn = True

    def _settled_heads(self) -> list[int]:
        """The heads as they are now: one whose list changes meanwhile is missed by a single look,
        above all that of the youngest, in which nearly everything may be."""
        best: list[int] = []
        for _ in range(_LOOKS):
            self._memory.forget()
            found = self._heads()
            if found and len(found) == len(best):
                return found
            best = max(best, found, key=len)
        return best

    def _heads(self) -> list[int]:
        """The heads of the generations, known by what they are: both links lead back to them.

        Where they lie in the state differs from version to version; that does not.
        """
        found = []
        for at in range(self._collector, self._collector + _HEADS_WITHIN, 8):
            try:
                after, before = (word & ~_FLAGS for word in self._memory.words(at, 2))
                if (
                    min(after, before) >= NULL_PAGES
                    and self._memory.u64(before) & ~_FLAGS == at
                    and self._memory.u64(after + 8) & ~_FLAGS == at
                ):
                    found.append(at)
            except MemoryReadError:
                continue
        return found

    def _list(self, head: int, others: set[int]) -> Iterator[int]:
        """The nodes of one list. Of a target that runs, a list may lead anywhere and in circles, or
        into one of the *others*: it is followed as long as each node knows the one before it."""
        u64, count, repairs = self._memory.u64, 0, _REPAIRS
        here, before = u64(head) & ~_FLAGS, head
        while here != head:
            if here in others:
                raise MemoryReadError("a collection moved the objects meanwhile")
            if u64(here + 8) & ~_FLAGS != before:
                if not repairs:
                    raise MemoryReadError("a list of the collector that changes")
                repairs -= 1
                here = self._next_now(before)
                continue
            count += 1
            if not count % _CHARGED:
                self._memory.spent.objects(1)
            yield here
            here, before = u64(here) & ~_FLAGS, here

    def _next_now(self, node: int) -> int:
        """The node behind one, as it is now: what was read of either may be of another moment."""
        self._memory.forget()
        return self._memory.u64(node) & ~_FLAGS
