"""What one target may cost through files, and what was refused to it."""

from dataclasses import field

from hangtui.dataclass import dataclass
from hangtui.model import Notice, Source, clean

_NAMED = 3
"""Refused files that are told of, at most."""


class RefusedError(OSError):
    """A file that must not be opened, whoever names it."""


class SpentError(OSError):
    """The target has cost as much through files as one may."""


@dataclass(slots=True)
class Budget:
    """Counts what is opened, listed and read for one target, over a whole capture.

    The bounds leave room for the largest honest process that was seen: 300 libraries with 100 MB of
    symbols, 2,000 lists of packages and 500 distributions.
    """

    max_bytes: int = 512 << 20
    """Read from files."""
    max_files: int = 20_000
    """Looked for, be they there or not."""
    max_entries: int = 200_000
    """Names in folders."""
    bytes: int = 0
    files: int = 0
    entries: int = 0
    spent: str | None = None
    """Which bound was reached."""
    refused: dict[str, list[str]] = field(default_factory=dict)
    """By reason: the paths of files that were not opened."""

    def take_bytes(self, count: int) -> None:
        """Count bytes that were read.

        Raises:
            SpentError: that was too much.
        """
        self.bytes += count
        if self.bytes > self.max_bytes:
            self._spend(f"{self.max_bytes >> 20} MB of files")

    def take_file(self) -> None:
        """Count a file that is looked for; raises as `take_bytes`."""
        self.files += 1
        if self.spent is not None or self.files > self.max_files:
            self._spend(f"{self.max_files} files")

    def take_entries(self, count: int) -> None:
        """Count names in a folder; raises as `take_bytes`."""
        self.entries += count
        if self.entries > self.max_entries:
            self._spend(f"{self.max_entries} names in folders")

    def _spend(self, bound: str) -> None:
        self.spent = self.spent or bound
        raise SpentError(f"its files were read up to the bound of {self.spent}")

    def refuse(self, path: str, reason: str) -> RefusedError:
        """Remember a file that is not opened; the error to raise."""
        paths = self.refused.setdefault(reason, [])
        if len(paths) < _NAMED and path not in paths:
            paths.append(path)
        return RefusedError(f"{clean(path)}: {reason}")

    def notices(self, pid: int | None) -> list[Notice]:
        """What was left out, and why."""
        found = []
        if self.spent is not None:
            message = (
                f"{self.spent} were looked at for process {pid}, which is the bound: packages,"
                " symbols or names may be missing"
            )
            found.append(Notice(Source.PROCFS, message, None, pid))
        for reason, paths in self.refused.items():
            names = ", ".join(clean(path, 200) for path in paths)
            found.append(Notice(Source.PROCFS, f"not opened: {names}: {reason}", None, pid))
        return found
