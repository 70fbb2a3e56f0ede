"""What is raised where memory or files of a target make no sense: one kind of error for all."""

import struct
from contextlib import ContextDecorator
from types import TracebackType
from typing import Self

_NONSENSE = (struct.error, IndexError, ValueError, OverflowError, RecursionError)
"""What parsers of bytes raise that are not what they should be; ValueError: UnicodeDecodeError
among others."""


class DamagedDataError(Exception):
    """What was read of a target is not what it should be, or could not be read at all."""


class MemoryReadError(DamagedDataError):
    """An address is not mapped, not readable, or not one at all."""


class foreign_data(ContextDecorator):  # noqa: N801  used like a function
    """Around the parsing of foreign bytes: whatever they make it raise is a DamagedDataError.

    A context manager, and a decorator of functions (not of generators, whose body runs later).
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, _NONSENSE):
            raise DamagedDataError(f"damaged data: {error}") from error
