"""Whether a process may open nothing more: all its file descriptors are in use."""

import os
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from hangtui.backends.procfs.files import link, text
from hangtui.model import OpenFiles, OpenKind, clean

_LIMIT = re.compile(r"^Max open files\s+(\d+)\s", re.MULTILINE)
_MOST = 1 << 17
"""Of a larger limit nothing is said: to count so many takes too long."""
_MOST_LOOKED_AT = 4096
_KIND = re.compile(r"(socket|pipe|anon_inode):")
_KINDS = {"socket": "sockets", "pipe": "ends of pipes", "anon_inode": "of the kernel's own kinds"}


def used_up(root: Path) -> OpenFiles | None:
    """What process *root* (a folder of /proc) has open, if it may open nothing more.

    Raises:
        OSError: it may not be read.
    """
    found = _LIMIT.search(text(root / "limits") or "")
    limit = int(found[1]) if found else 0
    folder = root / "fd"
    # The size of the folder is their number, or 0 before Linux 6.2.
    known = folder.stat().st_size
    if not 0 < limit <= _MOST or 0 < known < limit:
        return None
    # What was opened before the limit was lowered may have a higher number.
    names = [name for name in os.listdir(folder) if int(name) < limit]
    return (
        OpenFiles(limit, _kinds(folder, names[:_MOST_LOOKED_AT])) if len(names) >= limit else None
    )


def _kinds(folder: Path, names: Iterable[str]) -> tuple[OpenKind, ...]:
    """Of what kinds they are, the most frequent first; files by the folder that they are in."""
    kinds = Counter(kind for name in names if (kind := _kind(link(folder / name))))
    return tuple(OpenKind(kind, count) for kind, count in kinds.most_common())


def _kind(target: str | None) -> str | None:
    if target is None:
        return None  # it was closed meanwhile
    found = _KIND.match(target)
    return _KINDS[found[1]] if found else f"in {clean(str(Path(target).parent))}"
