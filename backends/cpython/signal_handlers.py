"""What the interpreter calls for the signals that a process handles, and which of these handlers
bring nobody what he waits for.

The interpreter keeps one entry for each signal in a table of its own, whose place differs from
build to build. It is found by what always stands in it: nobody can handle SIGKILL and SIGSTOP, and
two signals are the C library's own.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.elf.image import Image
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.linux import signal_name
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.backends.memory.mappings import Mapping as Mapped
from hangtui.dataclass import dataclass

_SIGNALS, _ENTRY = 65, 16
"""Entries of the table, and the bytes of each: whether the signal came, and what it calls."""
_NEVER = (9, 19)
_OF_LIBC = (32, 33)
_MOST_BYTES = 4 << 20
"""Of the image's variables that are searched."""
_CALM = frozenset(
    "append print flush getpid current_thread time monotonic perf_counter strftime format str repr"
    " int len Signals strsignal SystemExit KeyboardInterrupt".split()
)
"""What a handler may call that gives nobody anything he sleeps for."""
_LOGS = frozenset("debug info warning error exception critical log".split())
"""The same of what is called a log."""
_ENDS, _OF = frozenset({"exit", "_exit"}), frozenset({"sys", "os"})
_RAISED = frozenset({"SystemExit", "KeyboardInterrupt"})
"""By what a handler ends the program, as the signal would without one."""
_MARKS = ("STORE_ATTR", "STORE_GLOBAL", "STORE_SUBSCR", "STORE_DEREF")
_RUNS = ("YIELD", "SEND", "GET_AWAITABLE", "IMPORT_STAR", "SETUP_", "BEFORE_", "DELETE_")
_OF_LIBRARIES = (
    ("/twisted/internet/base.py", frozenset({"sigInt", "sigBreak", "sigTerm"})),
    ("/gunicorn/workers/base.py", frozenset({"handle_quit", "handle_abort", "handle_usr1"})),
    ("/gunicorn/workers/gthread.py", frozenset({"handle_quit"})),
)
"""Handlers of libraries that end the program, or open its log anew: the end of a file's name, and
its functions."""
_CHILD, _REAPER = 17, "twisted.internet.process"
"""SIGCHLD has Twisted look after those of its processes that have ended."""
_CHECKS_WORKERS = "/torch/utils/data/_utils/signal_handling.py", "handler", "previous_handler"
"""PyTorch's for SIGCHLD, which only raises an error for a worker of a DataLoader that has failed:
its file, its name, and what it calls then, if there is anything."""
_LOADS, _LOADED = "torch.utils.data._utils.worker", "_worker_info"
"""A module of PyTorch, and its variable that is set in a worker of a DataLoader, all handlers of
which that are written in C have it end."""
_OWN_OF_SERVERS = "uwsgi"
"""A module that is there in a process of uWSGI alone, all handlers of which that are written in C
have the server end, begin anew, or tell of itself."""


@dataclass(frozen=True, slots=True)
class SignalHandlers:
    """What is known of those of one process."""

    ending: tuple[str, ...] = ()
    """Signals whose handlers at most write a line, or end the program."""
    marking: tuple[str, ...] = ()
    """Those whose handlers beside that only set what somebody may look at."""


def signal_handlers(python: PythonReader, image: Image, handled: Iterable[str]) -> SignalHandlers:
    """Those of the signals that a process handles. Never raises."""
    errors = MemoryReadError, DamagedDataError, BudgetSpentError
    with suppress(*errors), foreign_data():
        table = _table(python, image)
        if table is not None:
            return _judged(python, table, handled)
    return SignalHandlers()


def python_handlers(python: PythonReader, image: Image) -> dict[str, int]:
    """By the name of each signal that code in Python handles: the function or method that is
    called for it. Never raises."""
    errors = MemoryReadError, DamagedDataError, BudgetSpentError
    with suppress(*errors), foreign_data():
        table = _table(python, image) or {}
        kinds = ((n, one, python.objects.kind(one) if one else None) for n, one in table.items())
        return {signal_name(n): one for n, one, kind in kinds if kind in ("function", "method")}
    return {}


def _table(python: PythonReader, image: Image) -> Mapping[int, int] | None:
    """By the number of each signal: what the interpreter calls; None: the table is not found."""
    none = image.exported("_Py_NoneStruct")
    memory = python.objects.memory
    left = _MOST_BYTES
    for mapped in _variables(memory.mappings, image) if none else ():
        size = min(mapped.end - mapped.start, left)
        left -= size
        if size <= 0:
            return None
        data = memory.fresh(mapped.start, size)
        for functions in _tables(data, (none or 0).to_bytes(8, "little")):
            default = functions[_NEVER[0]]
            if python.objects.kind(default) == "int" and python.objects.integer(default) == 0:
                return dict(enumerate(functions))
    return None


def _variables(mappings: Iterable[Mapped], image: Image) -> Iterator[Mapped]:
    """Where the variables of *image* lie; those that begin as zeros behind those of its file."""
    for one in mappings:
        if one.end > image.start and one.start < image.end and one.permissions.startswith("rw"):
            yield one


def _tables(data: bytes, none: bytes) -> Iterator[tuple[int, ...]]:
    """What each entry of what may be the table calls."""
    first, second = _OF_LIBC
    apart = (second - first) * _ENTRY
    at = -1
    while (at := data.find(none, at + 1)) >= 0:
        start = at - first * _ENTRY
        if start < 8 or data[at + apart : at + apart + 8] != none:
            continue
        try:
            words = struct.unpack_from(f"<{2 * _SIGNALS}Q", data, start - 8)
        except struct.error:
            continue
        came, functions = words[::2], words[1::2]
        same = functions[_NEVER[0]] == functions[_NEVER[1]] not in (0, functions[first])
        if same and all(one & 0xFFFFFFFF in (0, 1) for one in came):
            yield functions


def _judged(
    python: PythonReader, table: Mapping[int, int], handled: Iterable[str]
) -> SignalHandlers:
    reader = _Reader(python)
    names = {signal_name(number): number for number in table}
    loads = python.module(_LOADS).get(_LOADED, 0)
    hosted = bool(python.module(_OWN_OF_SERVERS)) or python.objects.kind(loads) == "WorkerInfo"
    ending, marking = list[str](), list[str]()
    for name in handled:
        number = names.get(name, 0)
        function = table.get(number, 0)
        kind = python.objects.kind(function) if function else None
        if kind in ("int", "NoneType"):  # it is none of Python's
            ends, marks = hosted, False
        elif number == _CHILD:
            ends = reader.reaps_none(function) or reader.only_checks(function)
            marks = False
        else:
            ends, marks = reader.effects(function)
        if ends:
            ending.append(name)
        elif marks:
            marking.append(name)
    return SignalHandlers(tuple(ending), tuple(marking))


class _Reader:
    """Reads the code of handlers."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._spent = python.objects.memory.spent
        self._bytecode = Bytecode(python.objects.layout.version, self._spent)
        self._mentions = Mentions(self._bytecode, self._spent)

    def effects(self, function: int) -> tuple[bool, bool]:
        """Whether a handler at most writes a line or ends the program; else, whether it only sets
        what somebody may look at. One that does nothing at all is there to interrupt something."""
        code = self._code(function)
        if code is None:
            return False, False
        name, file = code.bare_name, code.filename
        if any(name in names and file.endswith(where) for where, names in _OF_LIBRARIES):
            return True, False
        found = self._bytecode.instructions(code)
        unknown = not self._bytecode.is_known(code) or bool(code.handlers)
        if unknown or any(one.name.startswith(_RUNS) for one in found):
            return False, False
        called = self._called(code)
        raises = any(one.name == "RAISE_VARARGS" for one in found)
        if called is None or (raises and _RAISED.isdisjoint(code.names)):
            return False, False
        if raises or called & _ENDS:
            return True, False
        marks = any(one.name in _MARKS for one in found) or "append" in called
        return bool(called) and not marks, marks

    def _called(self, code: Code) -> set[str] | None:
        """The names of all that it calls; None: something else, or that is not known."""
        calls = {
            one.start
            for one in self._bytecode.instructions(code)
            if one.name.startswith("CALL") and not one.name.startswith("CALL_INTRINSIC")
        }
        names = dict[int, str]()
        for one in self._mentions.of(code):
            # The first that is mentioned is what is called, the others are its arguments.
            if one.called in calls and one.called not in names:
                text = one.text(code).strip(".")
                owner, _, name = text.rpartition(".")
                ends = name in _ENDS and owner in ("", *_OF)
                logs = name in _LOGS and "log" in owner.rpartition(".")[2].lower()
                if not (name in _CALM or ends or logs):
                    return None
                names[one.called] = name
        return set(names.values()) if calls == names.keys() else None

    def reaps_none(self, function: int) -> bool:
        """Whether it has Twisted look after processes, and there is none."""
        code = self._code(function)
        if code is None or not code.filename.endswith("/twisted/internet/_signals.py"):
            return False
        objects = self._python.objects
        known = self._python.module(_REAPER).get("reapProcessHandlers", 0)
        return bool(known) and objects.kind(known) == "dict" and not list(objects.items(known))

    def only_checks(self, function: int) -> bool:
        """Whether it only looks whether a worker of PyTorch's has failed, and calls nobody else."""
        code = self._code(function)
        file, name, further = _CHECKS_WORKERS
        if code is None or code.bare_name != name or not code.filename.endswith(file):
            return False
        closed = Containers(self._python.objects, self._python.codes).closure(function)
        return self._python.objects.kind(closed.get(further, 0)) == "NoneType"

    def _code(self, function: int) -> Code | None:
        if self._python.objects.kind(function) not in ("function", "method"):
            return None
        return self._python.codes.code(self._python.objects.function_code(function))
