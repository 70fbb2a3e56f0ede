"""The one way in which hangtui writes a file: anew, whole, and for its owner alone.

A file is written without a name, or under one that nobody can guess, in the folder where it is to
be, and gets its name when all of it is there. Nothing that somebody else has put at that name is
followed, written into or replaced.
"""

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hangtui.private_folder import descriptor, opened_folder

_LOOK = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NAMELESS = os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC
_MODE = 0o600
_INHERITED = re.compile(r"/(?:dev|proc/self)/fd/(?P<number>\d{1,6})|/dev/std(?P<name>out|err)")
_TEMPORARY = re.compile(r"\.hangtui-[0-9a-f]{16}")
_NEW_S = 2.0
"""Whoever has just made one may not have locked it yet."""
_NULL = ((1, 3), (1, 7))
"""/dev/null and /dev/full by their device numbers (admin-guide/devices.txt of Linux)."""
_TERMINALS = frozenset({4, 5, *range(136, 144)})
"""Major device numbers of consoles, /dev/tty and pseudo-terminals (the same)."""
_READER_S = 10.0
"""How long to wait for somebody to open the other end of a FIFO."""


def write(path: str | os.PathLike[str], data: bytes, *, replace: bool = True) -> None:
    """Write *data* to *path*; see `writing`.

    Raises:
        OSError: it cannot be written there, or must not be.
    """
    with writing(path, replace=replace) as file:
        file.write(data)


@contextlib.contextmanager
def writing(path: str | os.PathLike[str], *, replace: bool = True) -> Iterator[BinaryIO]:
    """A file to write, which appears at *path* at the end of the block, with mode 0600.

    If the block raises, nothing appears. A file of ours that is there already is replaced, or with
    ``replace=False`` left as it is. A stream that we were given (``/dev/stdout``, ``/dev/fd/63``),
    a terminal and a FIFO of ours are written to as they are.

    Raises:
        OSError: it cannot be written there, or must not be.
    """
    text = os.fspath(path)
    if (given := _INHERITED.fullmatch(text)) is not None:
        with _inherited(given) as file:
            yield file
        return
    parent, name = os.path.split(text)
    if name in ("", ".", ".."):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    folder = opened_folder(parent)
    try:
        there = _look(name, folder)
        if there is not None and not stat.S_ISREG(there.st_mode):
            with _stream(name, folder) as file:
                yield file
            return
        _require_ours(there, replace=replace)
        with _in_folder(name, folder, replace=replace) as file:
            yield file
    finally:
        os.close(folder)


def make_folder(path: Path) -> None:
    """Make a folder for files of ours alone, if it is not there.

    Raises:
        OSError: it cannot be made, or what is there, or above it, is somebody else's.
    """
    for above in (path, *path.parents):
        with contextlib.suppress(FileNotFoundError):
            owner = above.stat().st_uid
            if owner != os.geteuid() and (above == path or owner != 0):
                raise PermissionError(errno.EPERM, "the folder belongs to somebody else")
            break
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


# -- in a folder ----------------------------------------------------------------------------------


def _look(name: str, folder: int) -> os.stat_result | None:
    with contextlib.suppress(FileNotFoundError):
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    return None


def _require_ours(there: os.stat_result | None, *, replace: bool) -> None:
    if there is None:
        return
    if not replace:
        raise FileExistsError(errno.EEXIST, "it exists already")
    if there.st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "somebody else's file is there")
    if there.st_nlink > 1:
        raise PermissionError(errno.EPERM, "the file there has other names (hard links)")


@contextlib.contextmanager
def _in_folder(name: str, folder: int, *, replace: bool) -> Iterator[BinaryIO]:
    temporary = f".hangtui-{secrets.token_hex(8)}"
    try:
        number, nameless = _nameless(folder), True
    except OSError:  # NFS, FUSE and others have no files without names
        _clear(folder)
        number, nameless = os.open(temporary, _NEW, _MODE, dir_fd=folder), False
    try:
        with os.fdopen(number, "wb") as file:
            os.fchmod(number, _MODE)  # whatever the umask says
            _lock(number)
            yield file
            file.flush()
            if nameless and _link(number, name, folder, or_fail=not replace):
                return
            if nameless:
                _clear(folder)
                _link(number, temporary, folder, or_fail=True)
            if replace:
                os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            else:
                _give_name(temporary, name, folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _lock(number: int) -> None:
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _link(number: int, name: str, folder: int, *, or_fail: bool) -> bool:
    """Give a file without a name its first; False: there is something of that name."""
    try:
        os.link(f"/proc/self/fd/{number}", name, dst_dir_fd=folder)
    except FileExistsError:
        if or_fail:
            raise
        return False
    return True


def _clear(folder: int) -> None:
    """Remove what we left there when we were killed, half-written: nobody has its lock."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    names: list[str] = []
    with contextlib.suppress(OSError):  # it may be written, and not read
        names += filter(_TEMPORARY.fullmatch, os.listdir(f"/proc/self/fd/{folder}"))
    for name in names:
        with (
            contextlib.suppress(OSError),  # it is somebody else's, or in use
            descriptor(os.open(name, flags, dir_fd=folder)) as left,
        ):
            found = os.fstat(left)
            ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
            if ours and time.time() - found.st_mtime > _NEW_S:
                fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(name, dir_fd=folder)


def _nameless(folder: int) -> int:
    if not os.path.isdir("/proc/self/fd"):  # noqa: PTH112  it could get no name there
        raise OSError(errno.EOPNOTSUPP, "no /proc")
    return os.open(".", _NAMELESS, _MODE, dir_fd=folder)


def _give_name(temporary: str, name: str, folder: int) -> None:
    """Without replacing what has come there meanwhile, as far as the file system can."""
    try:
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # no links there
        if _look(name, folder) is not None:
            raise FileExistsError(errno.EEXIST, "it exists already") from None
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        return
    os.unlink(temporary, dir_fd=folder)


# -- what is no file ------------------------------------------------------------------------------


@contextlib.contextmanager
def _inherited(given: re.Match[str]) -> Iterator[BinaryIO]:
    """A stream that whoever started us has opened: the shell, for ``>(...)`` say."""
    number = {"out": 1, "err": 2}.get(given["name"] or "", int(given["number"] or -1))
    try:
        ours = os.get_inheritable(number)  # what we have opened ourselves is not inheritable
    except OSError:
        ours = False
    if not ours:
        raise OSError(errno.EBADF, "we were given no such stream")
    with os.fdopen(os.dup(number), "wb") as file:
        yield file


@contextlib.contextmanager
def _stream(name: str, folder: int) -> Iterator[BinaryIO]:
    with descriptor(os.open(name, _LOOK, dir_fd=folder)) as seen:
        found, around = os.fstat(seen), os.fstat(folder)
        _require_stream(found, around)
        number = _to_write(seen)
    os.set_blocking(number, True)
    with os.fdopen(number, "wb") as file:
        yield file


def _require_stream(found: os.stat_result, folder: os.stat_result) -> None:
    """Refuse to open what somebody else may have put there, or what does something when opened."""
    mode = found.st_mode
    if stat.S_ISLNK(mode):
        raise PermissionError(errno.EPERM, "a link is there: name the file itself")
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    if stat.S_ISCHR(mode):
        device = os.major(found.st_rdev), os.minor(found.st_rdev)
        if device in _NULL or device[0] in _TERMINALS:
            return
        raise PermissionError(errno.EPERM, "a device is there")
    if not stat.S_ISFIFO(mode):
        raise PermissionError(errno.EPERM, "something other than a file is there")
    shared = folder.st_mode & (stat.S_IWOTH | stat.S_IWGRP)
    if found.st_uid != os.geteuid() or shared or folder.st_uid not in (os.geteuid(), 0):
        raise PermissionError(errno.EPERM, "a FIFO is there, in a folder where others may write")


def _to_write(seen: int) -> int:
    """Open what was looked at, and nothing that has come into its place since."""
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    end = time.monotonic() + _READER_S
    while True:
        try:
            return os.open(f"/proc/self/fd/{seen}", flags)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > end:
                raise OSError(errno.ENXIO, "nobody reads the FIFO there") from error
        time.sleep(0.05)
