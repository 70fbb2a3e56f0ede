"""A root below which files are found as somebody sees them: a process's, a folder, or our own."""

import errno
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from typing import BinaryIO, Self

from hangtui.backends.door import kernel, mounts, rights, walk
from hangtui.backends.door.budget import Budget
from hangtui.backends.door.opened import Counted, read_all
from hangtui.backends.door.opener import Opener
from hangtui.backends.door.rights import Rights

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC


class Root:
    """A file system as somebody sees it; made by `of_process` or `of_folder`.

    Whoever sees these files may change them at any time, so all is judged by descriptors, which
    lead nowhere else any more.
    """

    def __init__(
        self,
        opening: Callable[[], int],
        allowed: Rights | None,
        seen_by: int | None,
        budget: Budget | None,
    ) -> None:
        self._descriptor: int | None = None
        self._errno = errno.EBADF
        try:
            self._descriptor = opening()
        except OSError as error:
            self._errno = error.errno or errno.EBADF
        self._seen_by = seen_by
        self.budget = budget or Budget()
        self._opener = Opener(allowed, self.budget)
        self.fix: str | None = None
        """How to see what is refused here, if that is for the caller to say."""

    @classmethod
    def of_process(cls, pid: int, budget: Budget | None = None) -> Self:
        """What process *pid* sees; of that, what its user may read.

        One that is gone or may not be asked has a root in which nothing is found.
        """
        try:
            allowed = rights.of_process(pid)
        except OSError:
            allowed = Rights()
        return cls(lambda: os.open(f"/proc/{pid}/root", _FOLDER), allowed, pid, budget)

    @classmethod
    def of_folder(cls, folder: str, budget: Budget | None = None) -> Self:
        """A folder of ours that holds a file system, ``/`` for the one that we live in."""
        return cls(lambda: os.open(folder or "/", _FOLDER), None, None, budget)

    @classmethod
    def of_everybody(cls, folder: str, budget: Budget | None = None) -> Self:
        """Of a folder of ours only what every user may read."""
        return cls(lambda: os.open(folder, _FOLDER), Rights(), None, budget)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of it; nothing is found any more."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor, self._errno = None, errno.EBADF

    def settle(self) -> None:
        """Ask again whose process it is, once its memory is open, too.

        Of one that got another user in between, only what everybody may read is read.
        """
        if self._seen_by is not None:
            with suppress(OSError):
                if rights.of_process(self._seen_by) == self._opener.allowed:
                    return
            self._opener.allowed = Rights()

    # -- files ----------------------------------------------------------------------------------

    def open_file(self, path: str, limit: int | None = None) -> BinaryIO:
        """The regular file at *path*, which may have *limit* bytes at most.

        Its ``name`` is a path by which another program can open the same file while it is open.

        Raises:
            RefusedError: it must not be opened.
            OSError: there is none, it is larger, it may not be read, or the budget is spent.
        """
        with self._found(path) as place:
            return self._counted(self._opener.open(place, path, limit))

    def reopen(self, file: BinaryIO) -> BinaryIO:
        """A second file object of a file that was opened here, with a position of its own."""
        return self._opened_by_link(f"/proc/self/fd/{file.fileno()}")

    def read(self, path: str, limit: int) -> bytes:
        """The first *limit* bytes of the regular file at *path*; raises as `open_file`."""
        with self._found(path) as place:
            return _content(self._opener, place, path, limit)

    def facts(self, path: str) -> os.stat_result:
        """The facts about what is at *path*; raises as `open_file`."""
        with self._found(path) as place:
            return os.fstat(place)

    def folder(self, path: str) -> "Folder":
        """The folder at *path*; raises as `open_file`."""
        with self._found(path) as place:
            found = os.fstat(place)
            if not stat.S_ISDIR(found.st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
            self._opener.check_view(place, found, path)
            return Folder(self, self._opener, path, os.dup(place))

    def open_mapped(self, pid: int, start: int, end: int) -> BinaryIO:
        """The file behind a mapping of process *pid*, also one that has no name any more.

        The process has opened it itself, so whether it may read it is no question. Whether its
        file system answers is for the caller to know: it may be mounted nowhere any more.

        Args:
            pid: of a process that sees this root.
            start: where the mapping begins.
            end: where it ends.

        Raises:
            RefusedError, OSError: as `open_file`.
        """
        return self._opened_by_link(f"/proc/{pid}/map_files/{start:x}-{end:x}")

    def open_program(self, pid: int) -> BinaryIO:
        """The program that process *pid* runs, as `open_mapped`."""
        return self._opened_by_link(f"/proc/{pid}/exe")

    def _opened_by_link(self, path: str) -> BinaryIO:
        """The file that a link of the kernel's leads to: somebody has opened it before."""
        self.budget.take_file()
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if self.has_slow_mounts:
                reason = self._mounts.refusal(mounts.mount_of(place), None)
                if reason is not None:
                    raise self.budget.refuse(path, reason)
            return self._counted(self._opener.open(place, path, None, proven=True))
        finally:
            os.close(place)

    def _counted(self, descriptor: int) -> BinaryIO:
        return io.BufferedReader(Counted(descriptor, self.budget))

    # -- finding --------------------------------------------------------------------------------

    @contextmanager
    def _found(self, path: str) -> Iterator[int]:
        """A descriptor, for nothing but its place, of what is at *path*."""
        self.budget.take_file()
        if self._descriptor is None:
            raise OSError(self._errno, os.strerror(self._errno), path)
        place = self._find(self._descriptor, path)
        try:
            yield place
        finally:
            os.close(place)

    def _find(self, root: int, path: str) -> int:
        if "\0" in path:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
        if self._opener.allowed is None and not self._mounts.slow:
            with suppress(NotImplementedError):
                return kernel.open_in_root(root, path)
        return walk.find(root, path, partial(self._enter, path))

    def _enter(self, path: str, place: int, name: str, following: str | None) -> None:
        """Whether to go on from a place on the way; before anything is asked of it."""
        if name in self._mounts.slow_names:
            reason = self._mounts.refusal(mounts.mount_of(place), following)
            if reason is not None:
                raise self.budget.refuse(path, reason)
        self._opener.check_step(place, path)

    @cached_property
    def view(self) -> tuple[object, ...]:
        """What tells apart who sees files: the same path may be another file for others.

        Raises:
            OSError: whoever sees them is gone.
        """
        if self._descriptor is None:
            raise OSError(self._errno, os.strerror(self._errno))
        space = os.stat(f"/proc/{self._seen_by or 'self'}/ns/mnt").st_ino  # noqa: PTH116
        found = os.fstat(self._descriptor)
        return space, found.st_dev, found.st_ino, self._opener.allowed

    @property
    def has_slow_mounts(self) -> bool:
        """Whether something on the way might wait for somebody."""
        return bool(self._mounts.slow)

    @cached_property
    def _mounts(self) -> mounts.Mounts:
        return mounts.of_process(self._seen_by)


class Folder:
    """An open folder below a root; a context manager that closes it."""

    def __init__(self, root: Root, opener: Opener, path: str, place: int) -> None:
        self._root = root
        self._opener = opener
        self._path = path
        self._place = place

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._place)

    def facts(self) -> os.stat_result:
        """The facts about it."""
        return os.fstat(self._place)

    def names(self, limit: int) -> list[str]:
        """The names in it, *limit* at most, in no order.

        Raises:
            OSError: it may not be read, or the budget is spent.
        """
        return self._opener.names(self._place, self._path, limit)

    def read(self, name: str, limit: int) -> bytes:
        """The first *limit* bytes of a file in it; raises as `Root.open_file`."""
        path = f"{self._path}/{name}"
        if "/" in name or self._root.has_slow_mounts:
            return self._root.read(path, limit)
        self._root.budget.take_file()
        place = os.open(name, kernel.PATH_ONLY, dir_fd=self._place)
        try:
            if not stat.S_ISLNK(os.fstat(place).st_mode):
                return _content(self._opener, place, path, limit)
        finally:
            os.close(place)
        return self._root.read(path, limit)


def _content(opener: Opener, place: int, path: str, limit: int) -> bytes:
    descriptor = opener.open(place, path, None)
    try:
        return read_all(descriptor, limit, opener.budget)
    finally:
        os.close(descriptor)
