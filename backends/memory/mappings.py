"""Which addresses of a process are mapped, and to what: ``/proc/PID/maps``."""

from collections.abc import Iterable
from pathlib import Path

from hangtui.backends.limits import Spending
from hangtui.backends.procfs.life import GoneError
from hangtui.dataclass import dataclass
from hangtui.model import Source, TargetError, clean


@dataclass(frozen=True, slots=True)
class Mapping:
    """One line of ``/proc/PID/maps``."""

    start: int
    end: int
    permissions: str
    offset: int
    inode: int
    path: str
    """As the target sees it; empty for anonymous memory."""
    device: str = ""
    """``MAJOR:MINOR`` of the file's device."""


def read_mappings(pid: int, spent: Spending) -> tuple[Mapping, ...]:
    """The mappings of a process, in the order of their addresses.

    As many as the limits allow: each may have a path of 16 KB, which its owner chose.

    Raises:
        TargetError: the process is gone or may not be read.
    """
    try:
        with Path(f"/proc/{pid}/maps").open("rb") as file:
            raw = file.read(spent.limits.map_bytes)
            if file.read(1):
                bound = spent.limits.map_bytes >> 20
                text = f"its mappings were read up to {bound} MiB of their list"
                spent.reach("mappings", Source.PROCFS, text)
                raw = raw[: raw.rfind(b"\n") + 1]
    except PermissionError as error:
        raise TargetError(f"the mappings of process {pid} may not be read") from error
    except OSError as error:
        raise GoneError(f"process {pid} is gone") from error
    # No other character ends a line: a path may hold any of them.
    return tuple(_parse_mappings(raw.decode(errors="surrogateescape").split("\n")[:-1]))


def _parse_mappings(lines: Iterable[str]) -> Iterable[Mapping]:
    for line in lines:
        fields = line.split(None, 5)
        start, _, end = fields[0].partition("-")
        path = fields[5] if len(fields) > 5 else ""
        yield Mapping(
            int(start, 16),
            int(end, 16),
            fields[1],
            int(fields[2], 16),
            int(fields[4]),
            path,
            fields[3],
        )


def display_path(path: str) -> str:
    """A mapping's path as it may be shown."""
    return clean(path.removesuffix(" (deleted)"))
