"""All ELF images of a process, by address or by name; each is read when it is first needed."""

import bisect

from hangtui.backends.door import Root
from hangtui.backends.elf.image import Image
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.mappings import Mapping
from hangtui.backends.memory.reader import Memory
from hangtui.model import clean


class Images:
    """All ELF images of a process."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._firsts = [m for m in memory.mappings if m.offset == 0 and _may_be_image(m)]
        self._by_start: dict[int, Image | None] = {}
        self._ranges = _image_ranges(memory.mappings)
        self._starts = [start for start, _, _ in self._ranges]

    @property
    def root(self) -> Root:
        """Where the process's files are found."""
        return self._memory.root

    def at(self, address: int) -> Image | None:
        """The image that *address* lies in."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index < 0 or address >= self._ranges[index][1]:
            return None
        image = self._load(self._ranges[index][2])
        return image if image is not None and address < image.end else None

    def matching(self, names: tuple[str, ...]) -> list[Image]:
        """The images whose file name begins with one of *names*, and the program itself first."""
        firsts = self._firsts[:1] + [
            m for m in self._firsts[1:] if m.path.rsplit("/", 1)[-1].startswith(names)
        ]
        return [image for first in firsts if (image := self._load(first)) is not None]

    def foreign_debug_files(self) -> set[str]:
        """Paths of separate debug files that were looked at and belong to other builds."""
        loaded = [image for image in self._by_start.values() if image is not None]
        return {clean(path) for image in loaded for path in image.separate.foreign}

    def _load(self, first: Mapping) -> Image | None:
        if first.start not in self._by_start:
            try:
                self._by_start[first.start] = Image(self._memory, first)
            except DamagedDataError:
                self._by_start[first.start] = None
        return self._by_start[first.start]


def _may_be_image(mapping: Mapping) -> bool:
    return mapping.path.startswith("/") or mapping.path == "[vdso]"


def _image_ranges(mappings: tuple[Mapping, ...]) -> list[tuple[int, int, Mapping]]:
    """``(start, end, first mapping)`` per mapped file, its anonymous tail (.bss) included."""
    ranges: list[tuple[int, int, Mapping]] = []
    for mapping in mappings:
        if not ranges or mapping.path != ranges[-1][2].path or mapping.offset == 0:
            if mapping.offset == 0 and _may_be_image(mapping):
                ranges.append((mapping.start, mapping.end, mapping))
            elif mapping.path == "" and ranges and ranges[-1][1] == mapping.start:
                ranges[-1] = (ranges[-1][0], mapping.end, ranges[-1][2])
            continue
        ranges[-1] = (ranges[-1][0], mapping.end, ranges[-1][2])
    return ranges
