"""Opens a folder in which files of ours shall be, whatever links others have laid on the way."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
_LOOK = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_MAX_LINKS = 40
"""As many as the kernel follows, path_resolution(7)."""


def opened_folder(path: str) -> int:
    """A descriptor of a folder, so that nobody can put another one into its place.

    Links on the way count where the kernel's ``protected_symlinks`` would let them, whether that
    is on or not: not those that others have laid into a folder where everybody may write.

    Raises:
        OSError: there is no such folder, or a link on the way does not count.
    """
    here = os.open("/" if path.startswith("/") else ".", _FOLDER)
    words, links = _words(path), 0
    try:
        while words:
            word = words.pop()
            with descriptor(os.open(word, _LOOK, dir_fd=here)) as seen:
                link, folder = os.fstat(seen), os.fstat(here)
                if stat.S_ISLNK(link.st_mode) and _is_proc(folder):
                    # The kernel's own links (/proc/PID/root) lead where their text does not say.
                    below = os.open(word, _FOLDER, dir_fd=here)
                elif stat.S_ISLNK(link.st_mode):
                    _require_safe(link, folder)
                    links += 1
                    _require_few(links)
                    target = os.readlink("", dir_fd=seen)
                    words += _words(target)
                    if not target.startswith("/"):
                        continue
                    below = os.open("/", _FOLDER)
                else:
                    # Not by its name once more: a link may have come into its place.
                    below = os.open(".", _FOLDER, dir_fd=seen)
            os.close(here)
            here = below
    except BaseException:
        os.close(here)
        raise
    return here


def _is_proc(folder: os.stat_result) -> bool:
    with contextlib.suppress(OSError):
        return folder.st_dev == os.stat("/proc").st_dev  # noqa: PTH116
    return False


def _words(path: str) -> list[str]:
    """The names in a path, the last one first."""
    return [word for word in reversed(path.split("/")) if word]


def _require_few(links: int) -> None:
    if links > _MAX_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _require_safe(link: os.stat_result, folder: os.stat_result) -> None:
    shared = stat.S_ISVTX | stat.S_IWOTH
    if folder.st_mode & shared == shared and link.st_uid not in (os.geteuid(), folder.st_uid):
        raise PermissionError(errno.EPERM, "the path leads through a link that somebody else made")


@contextlib.contextmanager
def descriptor(number: int) -> Iterator[int]:
    """Closes it at the end."""
    try:
        yield number
    finally:
        os.close(number)
