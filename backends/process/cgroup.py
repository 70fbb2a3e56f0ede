"""The memory limit of a process's cgroup, what is used of it, and how often it was enforced."""

import re
from pathlib import Path

from hangtui.backends.procfs.files import PROC, text
from hangtui.dataclass import dataclass

CGROUPS = Path("/sys/fs/cgroup")
_NO_LIMIT = 1 << 60
"""cgroup v1 says "no limit" by a number near 2^63."""
_KILLS = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MemoryGroup:
    """The innermost cgroup with a memory controller."""

    folder: Path
    limit: int | None
    """Bytes; None: no limit."""

    def used(self) -> int | None:
        """Bytes in use now; None: it cannot be read."""
        return _number(self.folder, "memory.current", "memory.usage_in_bytes")

    def kills(self) -> int | None:
        """How many processes the kernel has killed in it for want of memory.

        Those of cgroups below it count only on kernels before 5.2, which tell no other number.
        """
        for name in ("memory.events.local", "memory.events", "memory.oom_control"):
            try:
                found = _KILLS.search((self.folder / name).read_text())
            except OSError:
                continue
            if found:
                return int(found[1])
        return None


def group_of(pid: int) -> MemoryGroup | None:
    """The cgroup that limits the memory of a process; None: it cannot be told. Never raises."""
    try:
        groups = text(PROC / str(pid) / "cgroup") or ""
    except OSError:
        return None
    for line in sorted(groups.split("\n"), key=lambda one: ":memory:" not in one):
        for folder in folders(line):
            if (folder / "memory.events").exists() or (folder / "memory.oom_control").exists():
                return MemoryGroup(folder, _limit(folder))
    return None


def folders(line: str) -> list[Path]:
    """Where the memory of a cgroup may be accounted for; *line*: of ``/proc/PID/cgroup``."""
    for controllers, inside in memberships(line):
        if "memory" in controllers.split(","):
            return [CGROUPS / "memory" / inside, CGROUPS / "memory"]
        return [] if controllers else [CGROUPS / inside, CGROUPS / "unified" / inside, CGROUPS]
    return []


def memberships(groups: str) -> list[tuple[str, str]]:
    """Controllers, and the path below their hierarchy, of each line of ``/proc/PID/cgroup``.

    A name is whatever its owner chose, and need be no UTF-8. What lies outside of what we see of a
    hierarchy (``/../..``, in a cgroup namespace) is left out: there is no folder for it here.
    """
    lines = (line.split(":", 2) for line in groups.split("\n") if line.count(":") >= 2)
    found = ((controllers, path.lstrip("/")) for _, controllers, path in lines)
    return [(controllers, path) for controllers, path in found if ".." not in path.split("/")]


def _limit(folder: Path) -> int | None:
    """The smallest limit of the cgroup and of those around it."""
    limits = []
    while folder.is_relative_to(CGROUPS) and folder != CGROUPS:
        limits.append(_number(folder, "memory.max", "memory.limit_in_bytes"))
        folder = folder.parent
    known = [limit for limit in limits if limit is not None and limit < _NO_LIMIT]
    return min(known, default=None)


def _number(folder: Path, *names: str) -> int | None:
    for name in names:
        try:
            return int((folder / name).read_text())
        except (OSError, ValueError):
            continue
    return None
