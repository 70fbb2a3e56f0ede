"""Which threads have a connection to SQLite in hand, where one may wait for another."""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Instruction, uses_up
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.model import DatabaseUse, clean, thread_id

_CONNECTIONS = frozenset({"sqlite3.Connection", "sqlite3.Cursor", "apsw.Connection", "apsw.Cursor"})
_FRAMES, _THREADS = 30, 200
_FETCHES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_CALLS = frozenset({"CALL", "CALL_METHOD", "CALL_FUNCTION"})
_BETWEEN = frozenset({"PUSH_NULL", "NOP", "PRECALL", "CACHE"})


def add_uses(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add the innermost frame of each thread that has one, in a variable or as an attribute of
    ``self``."""
    bytecode = Bytecode(python.objects.layout.version, python.objects.memory.spent)
    containers = Containers(python.objects, CodeReader(python.objects))
    for tid, frames in list(python.stacks.items())[:_THREADS]:
        for frame in frames[:_FRAMES]:
            name = _connection(frame, python, containers)
            if name is not None:
                where = f"{frame.shown().filename}:{frame.shown().line}"
                copies = frame is frames[0] and _only_copies(frame, bytecode)
                use = DatabaseUse(thread_id(pid, tid), where, name, copies)
                facts.database_uses.append(use)
                break


def _only_copies(frame: Frame, bytecode: Bytecode) -> bool:
    """Whether it stands in a call with one argument, in a statement that fetches ``backup``, which
    takes all others by their names alone."""
    if "backup" not in frame.code.names:
        return False
    before: list[Instruction] = []
    for one in bytecode.instructions(frame.code):
        if one.start > frame.instruction:
            break
        before.append(one)
    fetched = [
        number
        for number, one in enumerate(before)
        if one.name in _FETCHES and bytecode.attribute(frame.code, one) == "backup"
    ]
    inside = before[fetched[-1] + 1 :] if fetched else []
    names = [one.name for one in inside if one.name not in _BETWEEN]
    called = bool(names) and names[-1] in _CALLS and inside[-1].argument == 1
    return called and "KW_NAMES" not in names and not any(map(uses_up, inside))


def _connection(frame: Frame, python: PythonReader, containers: Containers) -> str | None:
    variables = python.frames.variables(frame)
    inside = python.objects.attributes(variables["self"]) if "self" in variables else {}
    named = [*variables.items(), *((f"self.{name}", one) for name, one in inside.items())]
    for name, value in named:
        if python.objects.kind(value) and _CONNECTIONS & set(containers.classes(value)):
            return clean(name, 100)
    return None
