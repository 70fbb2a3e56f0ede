"""Which threads have a connection to SQLite in hand, and which variables keep one, where one may
wait for another."""

import re
from collections.abc import Collection, Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Instruction, uses_up
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.program_globals import program_globals
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.facts import Facts
from hangtui.model import DatabaseKept, DatabaseUse, clean, thread_id

_CONNECTIONS = frozenset({"sqlite3.Connection", "sqlite3.Cursor", "apsw.Connection", "apsw.Cursor"})
_KEEPS = re.compile("conn|dbapi|cursor")
"""What libraries call the attributes in which their own connections have those of SQLite."""
_MOST_INSIDE = 4
_FRAMES, _THREADS = 30, 200
_MOST_KEPT, _KEPT_STEPS = 3, 3
_FETCHES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_CALLS = frozenset({"CALL", "CALL_METHOD", "CALL_FUNCTION"})
_BETWEEN = frozenset({"PUSH_NULL", "NOP", "PRECALL", "CACHE"})


def add_uses(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add the innermost frame of each thread that has one, in a variable or as an attribute of
    ``self``."""
    bytecode = Bytecode(python.objects.layout.version, python.objects.memory.spent)
    containers = Containers(python.objects, CodeReader(python.objects))
    in_hand: set[int] = set()
    for tid, frames in list(python.stacks.items())[:_THREADS]:
        for frame in frames[:_FRAMES]:
            found = _connection(frame, python, containers)
            if found is not None:
                name, address = found
                in_hand.add(address)
                where = f"{frame.shown().filename}:{frame.shown().line}"
                copies = frame is frames[0] and _only_copies(frame, bytecode)
                use = DatabaseUse(thread_id(pid, tid), where, name, copies)
                facts.database_uses.append(use)
                break
    for name in _kept(python, containers, in_hand):
        facts.database_kept.append(DatabaseKept(pid, name))


def _kept(python: PythonReader, containers: Containers, in_hand: Collection[int]) -> Iterator[str]:
    """Global variables of the program that lead to other connections, the first of them."""
    objects = python.objects
    references = References(objects, python.frames, python.blocks, CodeReader(objects))
    every = (frame for frames in python.stacks.values() for frame in frames)
    seen, told = set(in_hand), 0
    for label, value in program_globals(every, objects):
        reach = {one for _, one in references.walk(value, _KEPT_STEPS, in_hand)}
        found = {one for one in reach - seen if _is_connection(one, python, containers)}
        if found:
            seen |= found
            told += 1
            yield label
        if told == _MOST_KEPT:
            return


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


def _connection(
    frame: Frame, python: PythonReader, containers: Containers
) -> tuple[str, int] | None:
    """The variable, and the connection or cursor that it leads to."""
    variables = python.frames.variables(frame)
    inside = python.objects.attributes(variables["self"]) if "self" in variables else {}
    named = [*variables.items(), *((f"self.{name}", one) for name, one in inside.items())]
    for name, value in named:
        found = _inside(value, python, containers)
        if found is not None:
            return clean(name, 100), found
    return None


def _inside(value: int, python: PythonReader, containers: Containers) -> int | None:
    """The connection or cursor that an object is, or that a library keeps in it, for the program to
    use in its place, by the names of its attributes."""
    found = [value]
    for _ in range(_MOST_INSIDE):
        for one in found:
            if _is_connection(one, python, containers):
                return one
        found = [
            inner
            for one in found
            for name, inner in containers.members(one).items()
            if _KEEPS.search(name)
        ][:_MOST_INSIDE]
    return None


def _is_connection(value: int, python: PythonReader, containers: Containers) -> bool:
    return bool(python.objects.kind(value)) and bool(_CONNECTIONS & set(containers.classes(value)))
