"""Which Debian packages files belong to, by dpkg's own lists in a root (dpkg-query(1), "Files")."""

from collections.abc import Collection, Iterator
from pathlib import Path

from hangtui.model import clean

_INFO, _STATUS = "var/lib/dpkg/info", "var/lib/dpkg/status"
_PACKAGED = ("/usr/", "/lib", "/bin/", "/sbin/", "/opt/")
_LOCAL = "/usr/local/"
_known: dict[tuple[int, int, int], dict[str, str | None]] = {}
"""By path, for each state of a system's packages."""
_MAX_LISTS = 20_000
_MAX_BYTES = 64 << 20
"""Of one list, or of the status file."""


def debian_packages(paths: Collection[str], root: str) -> dict[str, str]:
    """``libc6 2.36-9`` by path, for those that belong to a package.

    Packages that are called like a file are read first, as those of libraries are (Debian Policy,
    8.1); all lists of a small system take some 20 ms, those of a large one 200 ms. What was found
    out about a path is remembered until packages change.

    Args:
        paths: as the target sees them.
        root: what to put before them.
    """
    try:
        status = Path(root or "/", _STATUS).stat()
    except OSError:
        return {}
    known = _known.setdefault((status.st_dev, status.st_ino, status.st_mtime_ns), {})
    unknown = [path for path in paths if path not in known]
    if unknown:
        known |= dict.fromkeys(unknown) | _looked_up(unknown, root)
    return {path: package for path in paths if (package := known[path])}


def _looked_up(paths: Collection[str], root: str) -> dict[str, str]:
    wanted = {path: list(_lines(path)) for path in paths if _may_be_packaged(path)}
    owners: dict[str, str] = {}
    if wanted:
        names = {Path(path).name.partition(".so")[0] for path in wanted}
        for package, content in _contents(Path(root or "/") / _INFO, names):
            found = [path for path in wanted if any(line in content for line in wanted[path])]
            owners |= dict.fromkeys(found, package)
            for path in found:
                del wanted[path]
            if not wanted:
                break
    versions = _versions(Path(root or "/") / _STATUS, set(owners.values())) if owners else {}
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


def _contents(folder: Path, likely: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """The packages with their lists, those first whose names begin with a *likely* one."""
    try:
        lists = [path for path in folder.iterdir() if path.suffix == ".list"]
    except OSError:
        return
    beginnings = tuple(likely)
    lists.sort(key=lambda path: (not path.name.startswith(beginnings), len(path.name)))
    for path in lists[:_MAX_LISTS]:
        content = _read(path)
        if content:
            yield path.stem.partition(":")[0], b"\n" + content


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES)
    except OSError:
        return b""


def _versions(status: Path, packages: set[str]) -> dict[str, str]:
    content = b"\n\n" + _read(status)
    found = {}
    for package in packages:
        at = content.find(b"\n\nPackage: " + package.encode() + b"\n")
        entry = content[at + 2 : content.find(b"\n\n", at + 2)] if at >= 0 else b""
        for line in entry.splitlines():
            if line.startswith(b"Version: "):
                found[package] = line[9:].decode("utf-8", "replace")
    return found
