"""Which tasks of asyncio are in a cancel scope of anyio's that was cancelled, or whose time is
over, and go on nevertheless: they are shielded, as while anyio waits for a thread."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.registry import Registry
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

_SCOPE, _GROUP = "CancelScope", "TaskGroup"
_GENERATORS = frozenset({"_GeneratorContextManager", "_AsyncGeneratorContextManager"})
"""What makes a context manager of a function, as `anyio.fail_after` is one."""


def cancelled_scopes(
    stacks: Mapping[int, tuple[Frame, ...]],
    registry: Registry,
    python: PythonReader,
    containers: Containers,
) -> dict[int, str]:
    """``file:line`` of the `with` of the innermost such scope, by task; *stacks*: of those that
    wait.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    scopes = _Scopes(python, containers)
    found = dict[int, str]()
    for task, stack in stacks.items() if registry.has_imported("anyio") else ():
        with suppress(DamagedDataError), foreign_data():
            if place := scopes.cancelled(stack):
                found[task] = place
    return found


class _Scopes:
    """Reads the `with` blocks that tasks are inside of."""

    def __init__(self, python: PythonReader, containers: Containers) -> None:
        self._objects = python.objects
        self._frames = python.frames
        self._blocks = python.blocks
        self._containers = containers

    def cancelled(self, stack: Iterable[Frame]) -> str | None:
        """Where the innermost scope of its stack was entered that was cancelled; None: none was."""
        for frame in stack:
            for block in reversed(self._blocks.of(frame)):
                if any(map(self._is_cancelled, self._scopes(block.manager))):
                    return f"{frame.code.filename}:{block.line or frame.line}"
        return None

    def _scopes(self, manager: int) -> Iterator[int]:
        """The cancel scopes that a context manager stands for."""
        kind = self._objects.kind(manager)
        if kind == _SCOPE:
            yield manager
        elif kind == _GROUP:
            yield self._containers.members(manager).get("cancel_scope", 0)
        elif kind in _GENERATORS:
            generator = self._objects.attributes(manager).get("gen", 0)
            inner = self._frames.suspended(generator) if generator else None
            blocks = self._blocks.of(inner) if inner else ()
            yield from (b.manager for b in blocks if self._objects.kind(b.manager) == _SCOPE)

    def _is_cancelled(self, scope: int) -> bool:
        return self._containers.true(self._containers.members(scope).get("_cancel_called", 0))
