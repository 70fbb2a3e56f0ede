"""The distributions, with their versions, of the packages in which threads and tasks wait.

Only those frames are looked up by which a stack enters a package: there are few of them, and each
costs a look into the package's list of files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from hangtui.backends.door import Root
from hangtui.backends.packages.python import package_folder, package_of
from hangtui.model import Process, PythonFrame, Task, Thread

_MOST = 64
"""Files of one process that are looked up."""
_Stacked = TypeVar("_Stacked", Thread, Task)


class Versions:
    """Names the packages of one process; *root*: where its files lie."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._known: dict[str, str | None] = {}
        """By file."""

    def threads(self, process: Process) -> Process:
        """*process* with the packages of its Python threads."""
        return replace(process, threads=tuple(map(self.of, process.threads)))

    def of(self, one: _Stacked) -> _Stacked:
        """A thread or a task with the packages that its stack enters."""
        stack = one.python_stack or ()
        named = {index: self._package(stack[index].filename) for index in _entries(stack)}
        if not any(named.values()):
            return one
        frames = (
            replace(frame, package=named[index]) if named.get(index) else frame
            for index, frame in enumerate(stack)
        )
        return replace(one, python_stack=tuple(frames))

    def _package(self, filename: str) -> str | None:
        if filename not in self._known:
            if len(self._known) >= _MOST:
                return None
            self._known[filename] = package_of(filename, self._root)
        return self._known[filename]


def _entries(stack: Sequence[PythonFrame]) -> Iterator[int]:
    """The frames of packages that somebody else called."""
    outside = ""
    for index in reversed(range(len(stack))):
        top = package_folder(stack[index].filename)
        if top and top != outside:
            yield index
        outside = top
