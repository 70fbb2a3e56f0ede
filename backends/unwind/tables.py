"""The unwind tables (``.eh_frame``) of a process: the entry and the rules for an address."""

import bisect
import struct

from hangtui.backends.elf.cfi import (
    POINTER_SIZES,
    Cie,
    Fde,
    Row,
    UnwindError,
    pointer_encoding,
    run,
    sleb,
    uleb,
)
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import foreign_data
from hangtui.backends.memory.reader import Memory


class UnwindTables:
    """Finds entries by address; each is read and run once."""

    def __init__(self, memory: Memory, images: Images) -> None:
        self._memory = memory
        self._spent = memory.spent
        self._images = images
        self._rows: dict[int, tuple[Row, bool]] = {}
        self._fdes: dict[int, Fde] = {}
        self._cies: dict[int, Cie] = {}

    @foreign_data()
    def row(self, address: int) -> tuple[Row, bool]:
        """The rules at *address*, and whether its frame is the one of a signal.

        Raises:
            DamagedDataError: there are none, they make no sense, or they cannot be read.
        """
        known = self._rows.get(address)
        if known is None:
            fde = self.entry(address)
            self._spent.steps(len(fde.cie.instructions) + len(fde.instructions))
            known = self._rows[address] = (run(fde, address), fde.cie.signal)
        return known

    @foreign_data()
    def entry(self, address: int) -> Fde:
        """The entry of the function around *address*. Raises as `row` does."""
        image = self._images.at(address)
        if image is None:
            raise UnwindError(f"{address:#x} lies in no module")
        index = image.unwind_index
        if index is None:
            raise UnwindError("a module without unwind tables")
        base, starts, entries = index
        nearest = bisect.bisect_right(starts, address - base) - 1
        if nearest < 0:
            raise UnwindError("code without unwind information")
        at = base + entries[nearest]
        fde = self._fdes.get(at)
        if fde is None:
            fde = self._fdes[at] = self._read_fde(at)
        if not fde.start <= address < fde.end:
            raise UnwindError("code without unwind information")
        return fde

    def _read_fde(self, at: int) -> Fde:
        length, cie_offset = struct.unpack("<II", self._memory.read(at, 8))
        if not 4 < length < 1 << 20:
            raise UnwindError("a damaged unwind table")
        self._spent.keep(length)
        body = self._memory.read(at + 8, length - 4)
        cie = self._cie(at + 4 - cie_offset)
        size = POINTER_SIZES.get(cie.pointer_encoding & 15)
        if size is None or cie.pointer_encoding & 0x60:
            raise UnwindError("an unwind table with an unusual encoding")
        signed = cie.pointer_encoding & 8 != 0
        start = int.from_bytes(body[:size], "little", signed=signed)
        if cie.pointer_encoding & 0x70 == 0x10:  # DW_EH_PE_pcrel
            start += at + 8
        count = int.from_bytes(body[size : 2 * size], "little")
        offset = 2 * size
        if cie.augmented:
            skip, offset = uleb(body, offset)
            offset += skip
        return Fde(start, start + count, cie, body[offset:])

    def _cie(self, at: int) -> Cie:
        if at not in self._cies:
            self._cies[at] = self._read_cie(at)
        return self._cies[at]

    def _read_cie(self, at: int) -> Cie:
        length = self._memory.u32(at)
        if not 8 < length < 1 << 16:
            raise UnwindError("a damaged unwind table")
        body = self._memory.read(at + 8, length - 4)
        end = body.find(b"\0", 1)
        if end < 0:
            raise UnwindError("a damaged unwind table")
        augmentation = body[1:end].decode("latin-1")
        code_alignment, offset = uleb(body, end + 1)
        data_alignment, offset = sleb(body, offset)
        offset = offset + 1 if body[0] == 1 else uleb(body, offset)[1]
        encoding = 0
        augmented = augmentation.startswith("z")
        if augmented:
            size, offset = uleb(body, offset)
            encoding = pointer_encoding(augmentation, body[offset : offset + size])
            offset += size
        return Cie(
            code_alignment,
            data_alignment,
            encoding,
            augmented,
            "S" in augmentation,
            body[offset:],
        )
