"""Tasks of asyncio that have ended with an exception, as long as somebody refers to one: which it
was, and what the variables of its functions were then. What such a task was to do, nobody does."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.futures import Futures
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.tracebacks import Tracebacks
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass

_MOST = 200
"""Tasks of one process that are told of."""


@dataclass(frozen=True, slots=True)
class FailedTask:
    """One of them."""

    name: str | None
    error: str
    frames: tuple[Frame, ...]
    """Those that the exception went through, innermost first."""

    @property
    def label(self) -> str:
        """``task drain (drainer)``, as a task that lives is called."""
        own = [one for one in self.frames if not one.in_library]
        function = own[-1].code.bare_name if own else None
        if function in (None, self.name):
            return f"task {self.name}"
        return f"task {function} ({self.name})" if self.name else f"task {function}"


class FailedTasks:
    """Finds them in one interpreter."""

    def __init__(
        self, futures: Futures, containers: Containers, frames: Frames, tracebacks: Tracebacks
    ) -> None:
        self._futures = futures
        self._containers = containers
        self._frames = frames
        self._tracebacks = tracebacks

    def kept(self, frames: Iterable[Frame]) -> list[int]:
        """The tasks that variables of *frames* have, or lists and sets of these: from CPython 3.14
        on those that are done are in no list of asyncio's.

        Raises:
            BudgetSpentError: too many objects of this process were read.
        """
        found: dict[int, None] = {}
        for frame in frames:
            for value in self._frames.variables(frame).values():
                with suppress(DamagedDataError), foreign_data():
                    items = [value, *self._items(value)[:_MOST]]
                    found |= dict.fromkeys(one for one in items if self._futures.is_task(one))
        return list(found)

    def _items(self, value: int) -> list[int]:
        return self._containers.sequence(value) or self._containers.members_of_set(value)

    def of(self, tasks: Iterable[int]) -> Iterator[FailedTask]:
        """Those among *tasks*, which may be done or not.

        Raises:
            BudgetSpentError: too many objects of this process were read.
        """
        left = _MOST
        for address in tasks:
            with suppress(DamagedDataError), foreign_data():
                exception = self._futures.exception(address)
                error = self._tracebacks.error(exception) if exception else None
                if error is None:
                    continue
                frames = self._tracebacks.frames(exception)
                if frames:
                    yield FailedTask(self._futures.name(address), error, frames)
                    left -= 1
                    if not left:
                        return
