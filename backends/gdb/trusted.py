"""Whether a file can be somebody else's work: who may write to it, and to the folders above it."""

import os
import stat
from pathlib import Path

from hangtui.backends.door import Root


def is_ours(descriptor: int) -> bool:
    """Whether nobody but root and we could have made or changed an open file or its name.

    The name counts as we see it: a file of another mount namespace is found there at most by
    chance, and then is another one.
    """
    try:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        # Another namespace's name may lead here to where somebody's program has to answer.
        with Root.of_folder("/") as root:
            root.facts(str(path))
        here, open_one = path.lstat(), os.fstat(descriptor)
        same = (here.st_dev, here.st_ino) == (open_one.st_dev, open_one.st_ino)
        return same and all(_only_ours(place.lstat()) for place in (path, *path.parents))
    except (OSError, ValueError):
        return False


def _only_ours(found: os.stat_result) -> bool:
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
