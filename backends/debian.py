"""Which Debian packages files belong to, by dpkg's own lists in a root (dpkg-query(1), "Files")."""

from collections.abc import Collection, Iterator
from pathlib import Path

from hangtui.model import clean

_INFO, _STATUS = "var/lib/dpkg/info", "var/lib/dpkg/status"
_known: dict[tuple[int, int, int], dict[str, str | None]] = {}
"""By path, for each state of a system's packages."""
_MAX_LISTS = 20_000
_MAX_BYTES = 64 << 20
"""Of one list, or of the status file."""


def debian_packages(paths: Collection[str], root: str) -> dict[str, str]:
    """``libc6 2.36-9`` by path, for those that belong to a package.

    All lists are read, which takes some 20 ms for a small system; what was found out about a path
    is remembered until packages change.

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
    wanted = {line: path for path in paths for line in _lines(path)}
    owners: dict[str, str] = {}
    if wanted:
        for package, content in _contents(Path(root or "/") / _INFO):
            for line, path in wanted.items():
                if line in content:
                    owners[path] = package
    versions = _versions(Path(root or "/") / _STATUS, set(owners.values())) if owners else {}
    return {
        path: clean(f"{name} {versions.get(name, '')}".strip()) for path, name in owners.items()
    }


def _lines(path: str) -> Iterator[bytes]:
    """How a list may name the file: packages may still say /lib where that leads to /usr/lib."""
    name = path.removesuffix(" (deleted)")
    for spelled in (name, name.removeprefix("/usr")):
        if spelled.startswith("/"):
            yield b"\n" + spelled.encode("utf-8", "surrogateescape") + b"\n"


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    try:
        names = [path for path in folder.iterdir() if path.suffix == ".list"]
    except OSError:
        return
    for path in names[:_MAX_LISTS]:
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
