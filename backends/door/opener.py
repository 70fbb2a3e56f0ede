"""Opens what was found, if it is what may be opened."""

import errno
import itertools
import os
import stat

from hangtui.backends.door import mounts
from hangtui.backends.door.budget import Budget
from hangtui.backends.door.rights import READ, SEARCH, Rights, kind_of

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Of a regular file these wait for nothing, not even for whoever has a lease on it."""


class Opener:
    """Judges descriptors that were opened for nothing but their place (O_PATH).

    Nothing is opened before it is known to be a regular file: opening alone lets a pipe's other
    end go on and a device act. The place cannot become another one between the two.
    """

    def __init__(self, allowed: Rights | None, budget: Budget) -> None:
        self.allowed = allowed
        """Of the process whose files these are; None: ours."""
        self.budget = budget
        self._views: dict[int, str | None] = {}

    def check_step(self, place: int, path: str) -> None:
        """Whether the process itself could go on from *place*, which is on the way to *path*.

        Raises:
            RefusedError: no.
        """
        found = os.fstat(place)
        self.check_view(place, found, path)
        if not self.allowed or not stat.S_ISDIR(found.st_mode):
            return
        if not self.allowed.may(found, SEARCH, place):
            raise self.budget.refuse(path, f"{self.allowed.whose_not} look in there")

    def check_view(self, place: int, found: os.stat_result, path: str) -> None:
        """Whether *place* lies in a file system of files.

        Raises:
            RefusedError: in one that shows the kernel.
        """
        if found.st_dev not in self._views:
            self._views[found.st_dev] = mounts.view(place)
        name = self._views[found.st_dev]
        if name is not None:
            raise self.budget.refuse(path, f"it lies in {name}, which shows the kernel")

    def open(self, place: int, path: str, limit: int | None, *, proven: bool = False) -> int:
        """A descriptor to read the file at *place*.

        Args:
            place: where it is.
            path: as which it is told of.
            limit: bytes that it may have at most; None: any number.
            proven: the process itself has opened it.

        Raises:
            RefusedError: it is no regular file, or the process may not read it.
            OSError: it is larger, or we may not read it.
        """
        found = os.fstat(place)
        if not stat.S_ISREG(found.st_mode):
            raise self.budget.refuse(path, f"it is {kind_of(found.st_mode)}")
        self.check_view(place, found, path)
        if self.allowed and not proven and not self.allowed.may(found, READ, place):
            raise self.budget.refuse(path, f"{self.allowed.whose_not} read it")
        if limit is not None and found.st_size > limit:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        # Not by its name: what is at the place now is what was judged, whoever swaps names.
        descriptor = os.open(f"/proc/self/fd/{place}", _READ)
        opened = os.fstat(descriptor)
        if (opened.st_dev, opened.st_ino) != (found.st_dev, found.st_ino):
            os.close(descriptor)
            raise self.budget.refuse(path, "it became another file while it was opened")
        return descriptor

    def names(self, place: int, path: str, limit: int) -> list[str]:
        """The names in the folder at *place*, *limit* at most, in no order.

        Raises:
            RefusedError: the process may not list it.
            OSError: we may not, or the budget is spent.
        """
        if self.allowed and not self.allowed.may(os.fstat(place), READ, place):
            raise self.budget.refuse(path, f"{self.allowed.whose_not} list it")
        listed = os.open(f"/proc/self/fd/{place}", _READ | os.O_DIRECTORY)
        try:
            with os.scandir(listed) as entries:
                names = [entry.name for entry in itertools.islice(entries, limit)]
        finally:
            os.close(listed)
        self.budget.take_entries(len(names))
        return names
