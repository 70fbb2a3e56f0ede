"""The files that were mapped into a process that is no more, as they are found here.

A file counts only if it is the one that was mapped: its build id, or where one has none its first
page, must be what the core holds.
"""

import os
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hangtui.backends.memory import PAGE
from hangtui.model import Notice, Source, clean

_BUILD_ID_NOTE = b"\x03\0\0\0GNU\0"
_PT_NOTE = 4
_DELETED = " (deleted)"
_NAMED_MISSING = 4


@dataclass(frozen=True, slots=True)
class Missing:
    """A mapped file that is not here."""

    path: str
    build_id: str | None
    found: str | None
    """Build id of the file that is at its place; None: there is none."""
    exists: bool


class MappedFiles:
    """Opens mapped files below *root* (a copy of the target's file system), else here."""

    def __init__(self, root: str | None, first_page: Callable[[str], bytes | None]) -> None:
        self.root = (root or "").rstrip("/")
        self._first_page = first_page
        self._open: dict[str, BinaryIO | None] = {}
        self.missing: dict[str, Missing] = {}

    def close(self) -> None:
        """Close all of them."""
        for file in self._open.values():
            if file is not None:
                file.close()
        self._open.clear()

    def get(self, path: str) -> BinaryIO | None:
        """The mapped file *path*, or None if it is not here."""
        if path not in self._open:
            self._open[path] = self._find(path)
        return self._open[path]

    def fresh(self, path: str) -> BinaryIO:
        """The same as a file object of its own.

        Raises:
            OSError: it is not here.
        """
        file = self.get(path)
        if file is None:
            raise FileNotFoundError(path)
        return Path(file.name).open("rb")

    def plain(self, path: str) -> BinaryIO:
        """Any file below the root, unchecked.

        Raises:
            OSError: there is none.
        """
        return _open_regular(self._place(path))

    def _place(self, path: str) -> str:
        return os.path.normpath(f"{self.root}/{path}")

    def _find(self, path: str) -> BinaryIO | None:
        first = self._first_page(path)
        wanted = _build_id(first) if first else None
        try:
            file = _open_regular(self._place(path.removesuffix(_DELETED)))
        except (OSError, ValueError):
            self.missing[path] = Missing(path, wanted, None, exists=False)
            return None
        page = file.read(PAGE)
        found = _build_id(page)
        same = wanted == found if wanted and found else first is None or page == first[: len(page)]
        if same:
            return file
        file.close()
        self.missing[path] = Missing(path, wanted, found, exists=True)
        return None

    def notices(self) -> list[Notice]:
        """Which files are missed, by build id, and how to get them."""
        result = []
        missing = [one for one in self.missing.values() if not one.path.startswith("/dev/")]
        for one in missing[:_NAMED_MISSING]:
            name, place = clean(one.path), self.root or "its place"
            wanted = f"build id {one.build_id}" if one.build_id else "which has no build id"
            if one.exists:
                other = f"has build id {one.found}" if one.found else "is another one"
                message = f"{name}: the core was made with {wanted}; the file here {other}"
            else:
                message = f"{name} ({wanted}) is not in {place}: its code and names cannot be read"
            fix = "hangtui dump CORE --sysroot DIR   (DIR holds the target's file system)"
            result.append(Notice(Source.CORE, message, fix))
        if len(missing) > _NAMED_MISSING:
            more = len(missing) - _NAMED_MISSING
            result.append(Notice(Source.CORE, f"{more} more mapped files are missing or differ"))
        return result


def _open_regular(path: str) -> BinaryIO:
    """Open a file that is one: a path out of a core may name a device or a pipe."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileNotFoundError(path)
    os.close(handle)
    return Path(path).open("rb")


def _build_id(page: bytes) -> str | None:
    """The build id in the first page of an ELF file, where linkers put it."""
    if page[:5] != b"\x7fELF\x02" or len(page) < 64:
        return None
    (table,) = struct.unpack_from("<Q", page, 32)
    (count,) = struct.unpack_from("<H", page, 56)
    for index in range(min(count, 64)):
        at = table + 56 * index
        if at + 56 > len(page):
            break
        kind, _, offset, _, _, size = struct.unpack_from("<IIQQQQ", page, at)
        if kind == _PT_NOTE and offset + size <= len(page):
            raw = page[offset : offset + size]
            note = raw.find(_BUILD_ID_NOTE)
            if note >= 4:
                (length,) = struct.unpack_from("<I", raw, note - 4)
                start = note + len(_BUILD_ID_NOTE)
                return raw[start : start + length].hex()
    return None
