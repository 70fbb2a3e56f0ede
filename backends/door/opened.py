"""An open file whose reading is counted."""

import errno
import io
import os
from typing import TYPE_CHECKING

from hangtui.backends.door.budget import Budget

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK = 1 << 20


class Counted(io.FileIO):
    """Reads through a budget.

    Raises:
        SpentError: by any reading once the budget is spent.
    """

    def __init__(self, descriptor: int, budget: Budget) -> None:
        super().__init__(descriptor, "rb")
        self._budget = budget
        # Another program can open the very file by this name as long as it is open here.
        self.name = f"/proc/{os.getpid()}/fd/{descriptor}"

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """See ``io.RawIOBase.readinto``."""
        count = super().readinto(buffer)
        if count is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self._budget.take_bytes(count)
        return count

    def readall(self) -> bytes:
        """See ``io.RawIOBase.readall``; in pieces, so that no bound is passed by far."""
        parts = []
        while part := self.read(_CHUNK):
            parts.append(part)
        return b"".join(parts)

    def read(self, size: int | None = -1) -> bytes:
        """See ``io.RawIOBase.read``."""
        if size is None or size < 0:
            return self.readall()
        buffer = bytearray(size)
        count = self.readinto(buffer)
        return bytes(memoryview(buffer)[:count])


def read_all(descriptor: int, limit: int, budget: Budget) -> bytes:
    """Up to *limit* bytes of a descriptor.

    Raises:
        OSError: it cannot be read, or the budget is spent.
    """
    # What grows meanwhile is not followed: a read that gives less than was asked for is the last.
    size, parts = min(os.fstat(descriptor).st_size, limit), []
    while size > 0:
        part = os.read(descriptor, min(size, _CHUNK))
        budget.take_bytes(len(part))
        parts.append(part)
        size -= len(part) or size
    return parts[0] if len(parts) == 1 else b"".join(parts)
