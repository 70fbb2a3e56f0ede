"""What is raised where memory or files of a target make no sense: one kind of error for all."""

import struct
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_NONSENSE = (struct.error, IndexError, ValueError, OverflowError, RecursionError)
"""What parsers of bytes raise that are not what they should be; ValueError: UnicodeDecodeError
among others."""


class DamagedDataError(Exception):
    """What was read of a target is not what it should be, or could not be read at all."""


class MemoryReadError(DamagedDataError):
    """An address is not mapped, not readable, or not one at all."""


class foreign_data:  # noqa: N801  used like a function
    """Around the parsing of foreign bytes: whatever they make it raise is a DamagedDataError.

    A context manager, and a decorator of functions (not of generators, whose body runs later). As a
    decorator it is quick, unlike those of contextlib: it is around what runs for each native frame.
    """

    def __call__(self, function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
        @wraps(function)
        def parsing(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
            try:
                return function(*arguments, **named)
            except _NONSENSE as error:
                raise _damaged(error) from error

        return parsing

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, _NONSENSE):
            raise _damaged(error) from error


def _damaged(error: BaseException) -> DamagedDataError:
    return DamagedDataError(f"damaged data: {error}")
