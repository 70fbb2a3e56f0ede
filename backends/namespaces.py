"""Files as a target sees them, whatever mount namespace or chroot it lives in."""

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_MAX_LINKS = 40
"""As many as the kernel follows, path_resolution(7)."""
_MAX_PASSWD = 1 << 20
_PATH_ONLY = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


def has_own_files(pid: int) -> bool:
    """Whether process *pid* sees other files than we do: it lives in another mount namespace.

    Raises:
        OSError: it is gone, or it may not be asked.
    """
    place = Path("/proc/self/ns/mnt").readlink()
    return place != Path(f"/proc/{pid}/ns/mnt").readlink()


def user_name(pid: int, uid: int) -> str | None:
    """The name of a user in the list of users that process *pid* sees.

    Raises:
        OSError: there is none, or it may not be read.
    """
    with open_file(pid, "/etc/passwd") as file:
        for line in file.read(_MAX_PASSWD).decode("utf-8", "replace").splitlines():
            name, *fields = line.split(":")
            if len(fields) > 2 and fields[1] == str(uid):
                return name
    return None


def open_file(pid: int, path: str) -> BinaryIO:
    """The regular file at *path* as process *pid* sees it; raises as `open_below`."""
    return open_below(f"/proc/{pid}/root", path)


def open_below(root: str, path: str) -> BinaryIO:
    """The regular file at *path* if *root* were ``/``.

    ``open(root + path)`` would do for names without links: an absolute link on the way, as virtual
    environments have them, leads out of *root* and to another file with the same name. The target
    chose path and links, so nothing is opened that is no regular file.

    Raises:
        OSError: there is none, or it may not be read.
    """
    found = _find(root, path)
    try:
        if not stat.S_ISREG(os.fstat(found).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        return Path(f"/proc/self/fd/{found}").open("rb")
    finally:
        os.close(found)


def _find(root: str, path: str) -> int:
    """A descriptor, for nothing but its place, of what the path names below *root*."""
    with contextlib.ExitStack() as opened:
        # The folders from root to here; ".." goes back in it, and not beyond its beginning.
        trail = [_opened(opened, os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))]
        rest, links = _words(path), 0
        while rest:
            word = rest.pop()
            if word == "..":
                del trail[max(1, len(trail) - 1) :]
                continue
            here = _opened(opened, os.open(word, _PATH_ONLY, dir_fd=trail[-1]))
            if not stat.S_ISLNK(os.fstat(here).st_mode):
                trail.append(here)
                continue
            links += 1
            if links > _MAX_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            target = os.readlink("", dir_fd=here)
            if target.startswith("/"):
                del trail[1:]
            rest += _words(target)
        return os.dup(trail[-1])


def _opened(stack: contextlib.ExitStack, descriptor: int) -> int:
    stack.callback(os.close, descriptor)
    return descriptor


def _words(path: str) -> list[str]:
    """The names in the path, the last one first."""
    return [word for word in reversed(path.split("/")) if word not in ("", ".")]
