"""Which Debian packages files belong to, by dpkg's own lists in a root (dpkg-query(1), "Files")."""

import contextlib
from collections.abc import Collection, Iterator

from hangtui.backends.door import Folder, Root
from hangtui.model import clean

_INFO, _STATUS = "/var/lib/dpkg/info", "/var/lib/dpkg/status"
_PACKAGED = ("/usr/", "/lib", "/bin/", "/sbin/", "/opt/")
_LOCAL = "/usr/local/"
_State = tuple[object, ...]
_known: dict[_State, dict[str, str | None]] = {}
"""By path, for each state of the packages that somebody sees; the oldest first."""
_MAX_STATES = 64
_MAX_NAMES = 50_000
"""In the folder of lists, which has some five for each package."""
_MAX_LISTS = 20_000
_MAX_BYTES, _MAX_STATUS = 16 << 20, 64 << 20
"""Of one list, and of the status file; those of the largest packages have 4 MB."""
_MAX_SUM = 192 << 20
"""Of all lists; those of 3,000 packages have 40 MB."""


def debian_packages(paths: Collection[str], root: Root) -> dict[str, str]:
    """``libc6 2.36-9`` by path, for those that belong to a package.

    Packages that are called like a file are read first, as those of libraries are (Debian Policy,
    8.1); all lists of a small system take some 20 ms, those of a large one 200 ms. What was found
    out about a path is remembered until packages change.

    Args:
        paths: as the target sees them.
        root: where it sees them.
    """
    try:
        known = _of_state((root.view, *(_identity(root, path) for path in (_STATUS, _INFO))))
    except OSError:
        return {}
    unknown = [path for path in paths if path not in known]
    if unknown:
        known |= dict.fromkeys(unknown) | _looked_up(unknown, root)
    return {path: package for path in paths if (package := known[path])}


def _of_state(state: _State) -> dict[str, str | None]:
    if state not in _known:
        while len(_known) >= _MAX_STATES:
            del _known[next(iter(_known))]
        _known[state] = {}
    return _known[state]


def _identity(root: Root, path: str) -> tuple[int, ...]:
    found = root.facts(path)
    return found.st_dev, found.st_ino, found.st_mtime_ns


def _looked_up(paths: Collection[str], root: Root) -> dict[str, str]:
    wanted = {path: list(_lines(path)) for path in paths if _may_be_packaged(path)}
    owners: dict[str, str] = {}
    if wanted:
        names = {path.rpartition("/")[2].partition(".so")[0] for path in wanted}
        for package, content in _contents(root, names):
            found = [path for path in wanted if any(line in content for line in wanted[path])]
            owners |= dict.fromkeys(found, package)
            for path in found:
                del wanted[path]
            if not wanted:
                break
    versions = _versions(root, set(owners.values())) if owners else {}
    return {
        path: clean(f"{name} {versions.get(name, '')}".strip()) for path, name in owners.items()
    }


def _may_be_packaged(path: str) -> bool:
    """Whether packages may put a file there (Debian Policy, 9.1: what is local is not theirs)."""
    return path.startswith(_PACKAGED) and not path.startswith(_LOCAL)


def _lines(path: str) -> Iterator[bytes]:
    """How a list may name the file: packages may still say /lib where that leads to /usr/lib."""
    name = path.removesuffix(" (deleted)")
    for spelled in (name, name.removeprefix("/usr")):
        if spelled.startswith("/"):
            yield b"\n" + spelled.encode("utf-8", "surrogateescape") + b"\n"


def _contents(root: Root, likely: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """The packages with their lists, those first whose names begin with a *likely* one."""
    with contextlib.suppress(OSError), root.folder(_INFO) as folder:
        lists = [name for name in folder.names(_MAX_NAMES) if name.endswith(".list")]
        beginnings = tuple(likely)
        lists.sort(key=lambda name: (not name.startswith(beginnings), len(name)))
        left = _MAX_SUM
        for name in lists[:_MAX_LISTS]:
            content = _read(folder, name, min(left, _MAX_BYTES))
            left -= len(content)
            if content:
                yield name.removesuffix(".list").partition(":")[0], b"\n" + content


def _read(folder: Folder, name: str, limit: int) -> bytes:
    try:
        return folder.read(name, limit)
    except OSError:
        return b""


def _versions(root: Root, packages: set[str]) -> dict[str, str]:
    try:
        content = b"\n\n" + root.read(_STATUS, _MAX_STATUS)
    except OSError:
        return {}
    found = {}
    for package in packages:
        at = content.find(b"\n\nPackage: " + package.encode("utf-8", "surrogateescape") + b"\n")
        entry = content[at + 2 : content.find(b"\n\n", at + 2)] if at >= 0 else b""
        for line in entry.splitlines():
            if line.startswith(b"Version: "):
                found[package] = line[9:].decode("utf-8", "replace")
    return found
