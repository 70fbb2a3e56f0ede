"""The children of processes, each looked at once, however many threads wait for them."""

import os
from collections.abc import Iterable, Mapping

from hangtui.backends.ipc import relatives
from hangtui.backends.procfs import life
from hangtui.backends.procfs.files import PROC

MOST_CHILDREN = 4096
"""Of one process that are looked at: some 50 microseconds each."""


class Offspring:
    """What is known of them so far."""

    def __init__(self) -> None:
        self._children: dict[int, dict[int, int | None] | None] = {}
        self._numbers: dict[int, dict[int, int]] = {}

    def living(self, pid: int) -> Mapping[int, int | None]:
        """The children of a process that have not ended, and their process groups.

        Raises:
            ValueError: they are too many to look at.
        """
        if pid not in self._children:
            found = relatives.children(pid)
            few = len(found) <= MOST_CHILDREN
            living = (child for child in found if not life.ended(child))
            self._children[pid] = {one: relatives.group(one) for one in living} if few else None
        known = self._children[pid]
        if known is None:
            raise ValueError(f"it has more than {MOST_CHILDREN} child processes")
        return known

    def by_number(self, pid: int) -> Mapping[int, int]:
        """The living children of a process, by the numbers that it knows them by.

        Raises:
            ValueError: they are too many to look at.
        """
        if pid not in self._numbers:
            children = self.living(pid)
            self._numbers[pid] = {relatives.number_in(child, pid): child for child in children}
        return self._numbers[pid]


def called(pid: int, number: int) -> int | None:
    """The child of process *pid* that this calls *number*; None: it is none any more."""
    child: int | None = number
    if not relatives.same_namespace(pid, os.getpid()):
        try:
            child = Offspring().by_number(pid).get(number)
        except ValueError:
            return None
    return child if child is not None and relatives.parent(child) == pid else None


def missing(pid: int, numbers: Iterable[int]) -> set[int]:
    """Those of the processes that *pid* knows by these numbers which are not there any more; none
    if it numbers them otherwise."""
    gone = {number for number in numbers if not (PROC / str(number)).exists()}
    return gone if gone and relatives.same_namespace(pid, os.getpid()) else set()
