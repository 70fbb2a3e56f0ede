"""Finds a path below a root step by step, where the kernel cannot or must not do it in one go.

It cannot before Linux 5.6 and under some filters; it must not where each folder on the way is to
be asked whether the target's user may pass, or where a mount on the way must not be entered.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Callable

from hangtui.backends.door.kernel import PATH_ONLY

_MAX_LINKS = 40
"""As many as the kernel follows, path_resolution(7)."""
_MAX_STEPS = 4096
"""Names on the way, those in links included."""

Check = Callable[[int, str, str | None], None]
"""Called with a descriptor, the name that led to it, and the next name or None; raises OSError."""


def find(root: int, path: str, enter: Check) -> int:
    """A descriptor, for nothing but its place, of what *path* names if *root* were ``/``.

    *enter* is asked for each step before the next one is taken from there.

    Raises:
        OSError: there is nothing, or *enter* refused.
    """
    with contextlib.ExitStack() as opened:
        # The folders from root to here; ".." goes back in it, and not beyond its beginning.
        trail = [_opened(opened, os.dup(root))]
        rest, links, steps = _words(path), 0, 0
        enter(root, "", rest[-1] if rest else None)
        while rest:
            word = rest.pop()
            steps += 1
            if links > _MAX_LINKS or steps > _MAX_STEPS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            if word == "..":
                del trail[max(1, len(trail) - 1) :]
                continue
            here = _opened(opened, os.open(word, PATH_ONLY, dir_fd=trail[-1]))
            enter(here, word, rest[-1] if rest else None)
            if not stat.S_ISLNK(os.fstat(here).st_mode):
                trail.append(here)
                continue
            links += 1
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
