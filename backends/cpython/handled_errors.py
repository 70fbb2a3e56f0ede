"""The errors that threads and tasks are handling: in an ``except``, a ``finally``, or at the end of
a ``with`` that an error leaves."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.attribution import PythonThread
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.tracebacks import Tracebacks
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Handled, NodeId, clean

_MOST_ITEMS = 20
"""Handlers within each other that are followed."""
_MOST_INSIDE = 3
"""Errors that are the first argument of each other."""
_MOST_BEFORE = 8
"""Errors that were raised for one another."""
_OF_SYSTEM = frozenset(
    {
        *("ConnectionRefusedError", "ConnectionResetError", "ConnectionAbortedError"),
        *("BrokenPipeError", "TimeoutError", "socket.timeout", "socket.gaierror", "OSError"),
        *(
            "FileExistsError",
            "FileNotFoundError",
            "PermissionError",
            "ssl.SSLCertVerificationError",
            "ssl.SSLError",
        ),
    }
)
"""What the kernel, the resolver or TLS says."""
_THERE = "FileExistsError"
"""What who makes a lock file gets if another one has it."""
_PEER = re.compile(r"HTTPS?ConnectionPool\(host='([\w.:-]{1,100})', port=(\d{1,5})\)")
_GENERATORS = frozenset({"coroutine", "generator", "async_generator"})


class HandledError(NamedTuple):
    """One of them."""

    error: str
    """Its type."""
    where: str | None
    inner: bool
    peer: str | None = None
    cause: str | None = None
    file: str | None = None

    def by(self, actor: NodeId) -> Handled:
        """The fact that *actor* handles it."""
        return Handled(actor, self.error, self.where, self.inner, self.peer, self.cause, self.file)


class HandledErrors:
    """Reads them in one interpreter; those of its *threads*, by TID, at once: what is read of these
    has to be of the same moment."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        codes: CodeReader,
        threads: Mapping[int, PythonThread],
    ) -> None:
        self._objects = objects
        self._layout = objects.layout
        self._tracebacks = Tracebacks(objects, frames, codes)
        self._known = "tstate.exc_info" in objects.layout.offsets
        found = {tid: self._of_thread(one.state) for tid, one in threads.items()}
        self.by_thread = {tid: one for tid, one in found.items() if one is not None}

    def _of_thread(self, state: int) -> HandledError | None:
        """What the thread with this state handles; None: nothing, or that cannot be read. Never
        raises."""
        with suppress(BudgetSpentError, DamagedDataError, MemoryReadError), foreign_data():
            record = self._word(state, "tstate.exc_info") if self._known else 0
            for _ in range(_MOST_ITEMS):
                if not record:
                    break
                if error := self._error(record):
                    return self._told(error)
                record = self._word(record, "excitem.previous_item")
        return None

    def of_task(self, frames: Iterable[Frame]) -> HandledError | None:
        """What the innermost coroutine of a suspended task handles that does. Never raises."""
        if not self._known:
            return None
        with suppress(BudgetSpentError, DamagedDataError, MemoryReadError), foreign_data():
            for frame in frames:
                generator = self._generator(frame)
                if self._objects.kind(generator) not in _GENERATORS:
                    continue
                if error := self._error(generator + self._layout["gen.gi_exc_state"]):
                    return self._told(error)
        return None

    def _generator(self, frame: Frame) -> int:
        """What runs in a frame, if it is a generator or a coroutine: from 3.11 on the frame lies
        inside of it; before, it stands before `f_lasti` (Include/cpython/frameobject.h)."""
        if self._layout.since(3, 11):
            return frame.address - self._layout["gen.gi_iframe"]
        return self._word(frame.address - 8, "frameobj.f_lasti")

    def _word(self, base: int, field: str) -> int:
        return self._objects.memory.u64(base + self._layout[field])

    def _error(self, record: int) -> int:
        """The exception in a record; 0: none."""
        error = self._word(record, "excitem.exc_value")
        return error if error and self._objects.kind(error) != "NoneType" else 0

    def _told(self, error: int) -> HandledError | None:
        title = self._tracebacks.error(error)
        if title is None:
            return None
        frames = self._tracebacks.frames(error)
        own = next((one for one in frames if of_application(one)), None)
        raised = own or next(iter(frames), None)
        function = raised.code.function.rpartition("<locals>.")[2] if raised else ""
        where = clean(f"{raised.place} ({function})", 200) if raised else None
        inner, peer = len(frames) < 2, self._peer(error)
        return HandledError(title, where, inner, peer, self._cause(error), self._file(error))

    def _cause(self, error: int) -> str | None:
        """The type of the system's own error that led to this one; None: it is one, or none did."""
        for behind in range(_MOST_BEFORE):
            title = self._tracebacks.error(error) if error else None
            if title is None or title in _OF_SYSTEM:
                return title if behind else None
            error = self._tracebacks.before(error)
        return None

    def _file(self, error: int) -> str | None:
        """Which file is there already, as the error says that led to this one, or is it."""
        for _ in range(_MOST_BEFORE):
            title = self._tracebacks.error(error) if error else None
            if title is None or title == _THERE:
                return self._tracebacks.file(error) if title else None
            error = self._tracebacks.before(error)
        return None

    def _peer(self, error: int) -> str | None:
        """Which host and port urllib3's error is about, be that inside of another's. Nothing else
        is taken of what an error says."""
        objects = self._objects
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            for _ in range(_MOST_INSIDE):
                # An exception begins with its dictionary and its arguments.
                arguments = objects.memory.u64(error + self._layout["var.ob_size"] + 8)
                if objects.kind(arguments) != "tuple" or not objects.tuple_items(arguments):
                    return None
                error = objects.tuple_items(arguments)[0]
                if objects.kind(error) == "str":
                    found = _PEER.match(objects.text(error))
                    return f"{found[1]}:{found[2]}" if found else None
        return None
