"""Which installed distribution a file belongs to, by the records that installers leave behind."""

import csv
import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path

from hangtui.model import clean

_FOLDERS = re.compile(r"^(?P<folder>.*/(?:site|dist)-packages)/(?P<inside>.+)$")
_NAMED = re.compile(r"^(?P<name>.+?)-(?P<version>\d[^-]*)(?:-.*)?\.(?P<kind>dist-info|egg-info)$")
_MAX_RECORD = 32 << 20
"""Bytes; torch's is 2 MB."""
_MAX_DISTRIBUTIONS = 2000


def package_of(path: str | None, root: str = "") -> str | None:
    """``torch 2.1.0`` for a file of that distribution; None: of none that is known.

    *path* is as the target sees it, below *root*.
    """
    found = _FOLDERS.match(path or "")
    if found is None:
        return None
    return _owner(f"{root}{found['folder']}", found["inside"].removesuffix(" (deleted)"))


@functools.lru_cache(4096)
def _owner(folder: str, inside: str) -> str | None:
    top = _normal(re.split(r"[/.]", inside, maxsplit=1)[0])
    distributions = _distributions(folder)
    likely = [one for one in distributions if _normal(one["name"]) == top]
    for one in likely:
        if one["kind"] == "egg-info" or inside in _record(f"{folder}/{one.string}"):
            return _title(one)
    for one in distributions:
        if one not in likely and inside in _record(f"{folder}/{one.string}"):
            return _title(one)
    return _title(likely[0]) if len(likely) == 1 else None


def _title(found: re.Match[str]) -> str:
    return clean(f"{found['name'].replace('_', '-')} {found['version']}", 80)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@functools.lru_cache(64)
def _distributions(folder: str) -> tuple[re.Match[str], ...]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ()
    found = (_NAMED.match(name) for name in names)
    return tuple(match for match in found if match)[:_MAX_DISTRIBUTIONS]


@functools.lru_cache(256)
def _record(distribution: str) -> frozenset[str]:
    """The files that a distribution brought along, relative to its folder."""
    return frozenset(_lines(Path(distribution) / "RECORD"))


def _lines(path: Path) -> Iterator[str]:
    try:
        if not path.is_file() or path.stat().st_size > _MAX_RECORD:
            return
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            yield from (row[0] for row in csv.reader(file) if row)
    except (OSError, csv.Error):
        return
