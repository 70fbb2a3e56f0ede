"""Which threads have a connection to SQLite in hand, where one may wait for another."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.model import DatabaseUse, clean, thread_id

_CONNECTIONS = frozenset({"sqlite3.Connection", "sqlite3.Cursor", "apsw.Connection", "apsw.Cursor"})
_FRAMES, _THREADS = 30, 200


def add_uses(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add the innermost frame of each thread that has one, in a variable or as an attribute of
    ``self``."""
    containers = Containers(python.objects, CodeReader(python.objects))
    for tid, frames in list(python.stacks.items())[:_THREADS]:
        for frame in frames[:_FRAMES]:
            name = _connection(frame, python, containers)
            if name is not None:
                where = f"{frame.shown().filename}:{frame.shown().line}"
                facts.database_uses.append(DatabaseUse(thread_id(pid, tid), where, name))
                break


def _connection(frame: Frame, python: PythonReader, containers: Containers) -> str | None:
    variables = python.frames.variables(frame)
    inside = python.objects.attributes(variables["self"]) if "self" in variables else {}
    named = [*variables.items(), *((f"self.{name}", one) for name, one in inside.items())]
    for name, value in named:
        if python.objects.kind(value) and _CONNECTIONS & set(containers.classes(value)):
            return clean(name, 100)
    return None
