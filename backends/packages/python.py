"""Which installed distribution a file belongs to, by the records that installers leave behind."""

import os
import re
from dataclasses import field
from weakref import WeakKeyDictionary

from hangtui.backends.door import Root, SpentError
from hangtui.backends.linux import PATH_MAX
from hangtui.dataclass import dataclass
from hangtui.model import clean

_FOLDERS = re.compile(r"^(?P<folder>.*/(?:site|dist)-packages)/(?P<inside>.+)$", re.DOTALL)
_NAMED = re.compile(r"^(?P<name>.+?)-(?P<version>\d[^-]*)(?:-.*)?\.(?P<kind>dist-info|egg-info)$")
_MAX_NAME = 255
_MAX_RECORD = 32 << 20
"""Bytes; torch's is 2 MB."""
_MAX_RECORDS = 128 << 20
"""Bytes of all records that are looked through for one file; 600 distributions have 30 MB."""
_MAX_NAMES = 10_000
_MAX_DISTRIBUTIONS = 2000
_MAX_FOLDERS, _MAX_OWNERS = 64, 4096
"""Folders that are remembered, and files of each."""


def package_of(path: str | None, root: Root) -> str | None:
    """``torch 2.1.0`` for a file of that distribution; None: of none that is known.

    *path* is as the target sees it, below *root*.
    """
    if path is None or len(path) > PATH_MAX:
        return None
    answers = _answers.setdefault(root, {})
    if path not in answers:
        while len(answers) >= _MAX_OWNERS:
            del answers[next(iter(answers))]
        answers[path] = _looked_up(path, root)
    return answers[path]


def package_folder(path: str) -> str:
    """``.../site-packages/sqlalchemy`` of a file in it; empty for one that is not installed."""
    found = _FOLDERS.match(path)
    return f"{found['folder']}/{found['inside'].partition('/')[0]}" if found else ""


_answers: WeakKeyDictionary[Root, dict[str, str | None]] = WeakKeyDictionary()
"""By path, as long as the root is in use: thousands of frames name the same few files."""


def _looked_up(path: str, root: Root) -> str | None:
    found = _FOLDERS.match(path)
    if found is None:
        return None
    try:
        site = _site(found["folder"], root)
        return site.owner(found["inside"].removesuffix(" (deleted)"), root)
    except OSError:
        return None


@dataclass
class _Site:
    """A folder with distributions, as long as nothing is installed into it."""

    folder: str
    distributions: tuple[re.Match[str], ...]
    owners: dict[str, str | None] = field(default_factory=dict)
    """By file."""

    def owner(self, inside: str, root: Root) -> str | None:
        """The distribution that brought the file along.

        Raises:
            SpentError: the target has cost too much.
        """
        if inside not in self.owners:
            while len(self.owners) >= _MAX_OWNERS:
                del self.owners[next(iter(self.owners))]
            self.owners[inside] = self._find(inside, root)
        return self.owners[inside]

    def _find(self, inside: str, root: Root) -> str | None:
        top = _normal(re.split(r"[/.]", inside, maxsplit=1)[0])
        likely = [one for one in self.distributions if _normal(one["name"]) == top]
        # nvidia/cublas/... belongs to nvidia-cublas-cu12: those with the same beginning come next.
        others = [one for one in self.distributions if one not in likely]
        others.sort(key=lambda one: not _normal(one["name"]).startswith(top))
        missed = _Missed()
        for one in (*likely, *others):
            if one["kind"] == "egg-info":
                if one in likely:
                    return _title(one)
            elif self._has(one.string, inside, root, missed):
                return _title(one)
        return _title(likely[0]) if len(likely) == 1 else None

    def _has(self, distribution: str, inside: str, root: Root, missed: "_Missed") -> bool:
        """Whether a distribution's record names the file."""
        try:
            with root.open_file(f"{self.folder}/{distribution}/RECORD", _MAX_RECORD) as file:
                found = os.fstat(file.fileno())
                identity = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
                if identity in missed.files or missed.bytes + found.st_size > _MAX_RECORDS:
                    return False
                if _names(file.read(found.st_size), inside):
                    return True
        except SpentError:
            raise
        except OSError:
            return False
        missed.files.add(identity)
        missed.bytes += found.st_size
        return False


@dataclass
class _Missed:
    """Records that do not name a file; one may be that of many distributions."""

    files: set[tuple[int, ...]] = field(default_factory=set)
    bytes: int = 0


def _names(record: bytes, inside: str) -> bool:
    """Whether a record, a table of path, checksum and size, has a row of this path.

    The path is searched for: a set of all that huge records name would take gigabytes.
    """
    if any(letter in inside for letter in ',"\r\n'):  # as the csv module quotes it
        inside = '"' + inside.replace('"', '""') + '"'
    path = inside.encode("utf-8", "replace")
    if record.startswith(path) and record[len(path) : len(path) + 1] in (b",", b"\r", b"\n", b""):
        return True
    return any(b"\n" + path + end in record for end in (b",", b"\n", b"\r"))


_sites: dict[tuple[object, ...], _Site] = {}
"""By who sees the folder, and its state; the oldest first."""


def _site(path: str, root: Root) -> _Site:
    with root.folder(path) as folder:
        found = folder.facts()
        state = (root.view, path, found.st_dev, found.st_ino, found.st_mtime_ns)
        if state not in _sites:
            names = sorted(name for name in folder.names(_MAX_NAMES) if len(name) <= _MAX_NAME)
            matches = (_NAMED.match(name) for name in names)
            distributions = tuple(match for match in matches if match)[:_MAX_DISTRIBUTIONS]
            while len(_sites) >= _MAX_FOLDERS:
                del _sites[next(iter(_sites))]
            _sites[state] = _Site(path, distributions)
        return _sites[state]


def _title(found: re.Match[str]) -> str:
    return clean(f"{found['name'].replace('_', '-')} {found['version']}", 80)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
