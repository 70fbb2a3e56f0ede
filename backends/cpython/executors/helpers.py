"""The threads that an executor started for its own work, and whether they have ended."""

from collections.abc import Mapping

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.reader import PythonReader
from hangtui.model import Helper, clean


class Helpers:
    """Reads ``threading.Thread`` objects of one process."""

    def __init__(self, python: PythonReader, containers: Containers) -> None:
        self._python = python
        self._containers = containers
        self._running = python.registered()

    def read(self, role: str, thread: int) -> Helper:
        """The helper that the object at *thread* stands for. Never raises."""
        attributes = self._python.objects.attributes(thread)
        ident = self._containers.integer(attributes.get("_ident", 0))
        if ident is None:  # it was never started
            return Helper(role, self._name(attributes))
        if ident in self._python.idents:
            # A new thread may have got the place of one that has ended.
            registered = self._running.get(ident)
            ended = None if registered is None else registered != thread
            tid = None if ended else self._python.idents[ident]
            return Helper(role, self._name(attributes), tid, ended)
        return Helper(role, self._name(attributes), None, self._python.ended(ident) or None)

    def _name(self, attributes: Mapping[str, int]) -> str | None:
        name = attributes.get("_name", 0)
        objects = self._python.objects
        return clean(objects.text(name), 100) if objects.kind(name) == "str" else None
