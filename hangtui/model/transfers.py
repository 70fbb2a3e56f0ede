"""What a thread has read and written, by the kernel's counters."""

from typing import Self

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Transfers:
    """Calls of read(2) and write(2) and their like since a thread was started, or within some time,
    and how much they moved: not those of sockets alone, as recv(2) and send(2)."""

    reads: int
    """Calls, also those that brought nothing."""
    read_bytes: int
    writes: int
    written_bytes: int

    def since(self, before: Self) -> "Transfers":
        """What came to that after *before*."""
        return Transfers(
            self.reads - before.reads,
            self.read_bytes - before.read_bytes,
            self.writes - before.writes,
            self.written_bytes - before.written_bytes,
        )
