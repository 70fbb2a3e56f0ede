"""Python stacks through py-spy, which knows many versions of CPython and need not stop any."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import cast

from hangtui.backends.permission import access
from hangtui.backends.procfs.files import PROC, tids_inside
from hangtui.backends.tools import programs
from hangtui.backends.tools.broom import Broom
from hangtui.dataclass import dataclass
from hangtui.model import GilState, Notice, Process, PythonFrame, Source, Thread, clean

_MOST_MEMORY = 4 << 30
"""Bytes of address space: what it reads may be made to need more than there is."""
_NO_PERMISSION = ("Permission denied", "Operation not permitted")
_NO_INTERPRETER = ("Failed to find a python interpreter", "Failed to find python version")


@dataclass(frozen=True, slots=True)
class PySpyThread:
    """One Python thread."""

    name: str | None
    owns_gil: bool
    frames: tuple[PythonFrame, ...]
    """Innermost first."""
    ident: int | None
    """Its ``threading.get_ident()``: with glibc the address of its ``struct pthread``."""


@dataclass(frozen=True, slots=True)
class PySpyResult:
    """What py-spy said, or why it could not."""

    threads: Mapping[int, PySpyThread] = field(default_factory=dict)
    """By TID, as we see it."""
    unmapped: tuple[PySpyThread, ...] = ()
    """Threads whose TID it does not tell: all of them before CPython 3.11."""
    notice: Notice | None = None


def python_stacks(pid: int, timeout_s: float = 10) -> PySpyResult:
    """The Python stacks of all threads, read without stopping the process."""
    program = programs.find("py-spy")
    if program is None:
        return _failed(pid, "py-spy is not installed", f"{sys.executable} -m pip install py-spy")
    command = [program, "dump", "--json", "--nonblocking", "--pid", str(pid)]
    try:
        status, output, errors = _run(command, timeout_s)
    except subprocess.TimeoutExpired:
        return _failed(pid, f"py-spy gave no answer within {timeout_s:g} s")
    except OSError as error:
        return _failed(pid, f"py-spy does not start: {error.strerror}")
    if status != 0:
        return _explained(pid, errors)
    try:
        return _parse(json.loads(output), tids_inside(pid))
    except ValueError:
        return _failed(pid, "py-spy gave an answer that is not JSON")


def with_stacks(
    process: Process, tid_of_ident: Callable[[int], int | None], timeout_s: float = 10
) -> tuple[Process, Notice | None]:
    """*process* with the Python stacks that py-spy tells, and what it could not.

    *tid_of_ident*: the TID of the thread with a ``Thread.ident``, which before CPython 3.11 is all
    that py-spy knows of one.
    """
    result = python_stacks(process.pid, timeout_s)
    by_tid = dict(result.threads)
    for spied in result.unmapped:
        tid = tid_of_ident(spied.ident) if spied.ident else None
        if tid is not None:
            by_tid.setdefault(tid, spied)

    def merged(thread: Thread) -> Thread:
        found = by_tid.get(thread.tid)
        if found is None:
            return thread
        return replace(
            thread,
            name=found.name or ("MainThread" if thread.tid == thread.pid else thread.name),
            gil=GilState.HOLDS if found.owns_gil else None,
            python_stack=found.frames,
            is_python=True,
        )

    return replace(process, threads=tuple(map(merged, process.threads))), result.notice


def _run(command: list[str], timeout_s: float) -> tuple[int, bytes, str]:
    # A session of its own: an interrupt typed at our terminal is ours to handle, and whatever the
    # program starts ends with it.
    with (
        Broom() as broom,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            cwd="/",
            env={**programs.environment(), "RUST_BACKTRACE": "0"},
        ) as process,
    ):
        broom.ends(process.pid)
        with contextlib.suppress(OSError):  # it has ended already
            resource.prlimit(process.pid, resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, output, errors.decode(errors="replace")


# -- failures -------------------------------------------------------------------------------------


def _failed(pid: int, message: str, fix: str | None = None) -> PySpyResult:
    return PySpyResult(notice=Notice(Source.PYSPY, message, fix, pid))


def _explained(pid: int, errors: str) -> PySpyResult:
    if not (PROC / str(pid)).exists():
        return _failed(pid, "the process ended before py-spy read it")
    if any(mark in errors for mark in _NO_PERMISSION) and not access.may_trace(pid):
        return _failed(pid, *access.explain(pid, "no permission to read the Python stacks"))
    if any(mark in errors for mark in _NO_INTERPRETER):
        return _failed(pid, "py-spy finds no Python interpreter that it knows in the process")
    return _failed(pid, f"py-spy failed: {clean(_reason(errors), 200)}")


def _reason(errors: str) -> str:
    """Its first line, with the innermost cause, which is the telling one."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    causes = [line for line in lines if line[:1].isdigit()]
    head = lines[0].removeprefix("Error: ") if lines else "no message"
    return f"{head} ({causes[-1].partition(':')[2].strip()})" if causes else head


# -- parsing: the answer's shape is checked at each step, since it is another program's -----------


def _parse(answer: object, tids: Mapping[int, int]) -> PySpyResult:
    mapped: dict[int, PySpyThread] = {}
    unmapped = []
    for entry in _dicts(answer):
        thread = PySpyThread(
            name=_text(entry.get("thread_name")) or None,
            owns_gil=entry.get("owns_gil") is True,
            frames=tuple(_frame(frame) for frame in _dicts(entry.get("frames"))),
            ident=_number(entry.get("thread_id")),
        )
        tid = tids.get(_number(entry.get("os_thread_id")) or 0)
        if tid is None:
            unmapped.append(thread)
        else:
            mapped[tid] = thread
    return PySpyResult(mapped, tuple(unmapped))


def _frame(entry: dict[str, object]) -> PythonFrame:
    # Up to 3.10 every frame is an entry. 3.11 marks entries in the frame; from 3.12 on a shim lies
    # below each entry, and py-spy marks the frame above the shim.
    marks = [entry.get(key) for key in ("is_entry", "is_shim_entry")]
    return PythonFrame(
        function=_text(entry.get("name")) or "?",
        filename=_text(entry.get("filename")) or "?",
        line=_number(entry.get("line")) or None,
        entry=None if None in marks else True in marks,
    )


def _dicts(value: object) -> list[dict[str, object]]:
    if not isinstance(value, list):
        return []
    return [cast("dict[str, object]", item) for item in value if isinstance(item, dict)]


def _text(value: object) -> str:
    return clean(value) if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
