"""Which processes are Python processes, found cheaply."""

import contextlib
import itertools
import os
import re
from pathlib import Path
from typing import BinaryIO

from hangtui.backends import heartbeat, precedence
from hangtui.backends.door import Budget, Root
from hangtui.backends.procfs.files import PROC, link, numbers, raw_cmdline, status_of, touch

_PATIENCE_S = 2.0
"""The kernel answers at once, unless the process keeps its memory map locked."""
_WORKER = re.compile(
    r"run_module\('hangtui\.backends\.(machine\.)?worker'|^hangtui\.backends\.(machine\.)?worker$"
    r"|; from hangtui\.backends\.[\w.]+ import main; "
    r"|/backends/gather/on_cluster\.py$|^ray::hangtui gather$"
)
"""A word of the command lines that `programs.python` and `programs.small_python` make, or of
``python -m``; and of those by which clusters are asked. They would be told of as parts of a job."""
_PYTHON_NAME = re.compile(r"(python|pypy)(\d+(\.\d+)*)?(t|d|m|dm|-dbg|-c)?( \(deleted\))?")
_LOADERS = ("ld-", "qemu-")
"""Programs that run others, whose mappings tell more than their own name."""
_PROGRAM = re.compile(rb"/python\d(\.\d+)?[td]?$", re.MULTILINE)
_LIBPYTHON = re.compile(rb"/libpython\d[^/\n]*\.so")
_INTERPRETER = b"_PyEval_EvalFrameDefault\0"
_MAX_PROGRAM, _PIECE = 512 << 20, 1 << 20
"""Bytes: a program with an interpreter and all its libraries linked in has some 100 MB."""


def python_pids() -> list[int]:
    """PIDs of the Python processes that can be seen, without hangtui's own."""
    ours = own_pids()
    return [pid for pid in numbers(PROC) if pid not in ours and _at(pid)]


def _at(pid: int) -> bool:
    with heartbeat.at(pid, heartbeat.brief(_PATIENCE_S)):
        return is_named_python(pid)


def is_python(pid: int) -> bool:
    """Whether an interpreter runs in the process, also one linked into another program."""
    return is_named_python(pid) or _exe_contains_interpreter(pid)


def own_pids() -> set[int]:
    """This process, the one that watches over it, the hangtui whose worker that is, and whoever
    stands for it in the session that it left."""
    pids = {os.getpid(), heartbeat.watcher() or os.getpid(), precedence.waiter() or os.getpid()}
    if _is_worker(PROC / "self"):
        with contextlib.suppress(OSError, KeyError, ValueError):
            pids |= {int(status_of(PROC / str(pid))["PPid"]) for pid in tuple(pids)}
    return pids


def is_worker(pid: int) -> bool:
    """Whether it is a process of some hangtui, be it another one's that looks at the same job."""
    return _is_worker(PROC / str(pid))


def _is_worker(root: Path) -> bool:
    # The loader's own words may stand before those of the interpreter (script/portable).
    words = raw_cmdline(root)[:14]
    gathers = any(
        one.rpartition("/")[2] == "hangtui" and other == "gather"
        for one, other in itertools.pairwise(words)
    )
    return gathers or any(map(_WORKER.search, words))


def is_named_python(pid: int) -> bool:
    """Whether its program is called as interpreters are, or is linked with a library of one."""
    root = PROC / str(pid)
    try:
        exe = link(root / "exe")
        if exe is None:
            # A foreign process (or a kernel thread, which has no words): its name must do.
            exe = (raw_cmdline(root) or [""])[0]
        name = exe.rpartition("/")[2]
        if name == "gdb":
            return False  # embeds Python, and may well be ours
        if not _PYTHON_NAME.fullmatch(name) and not _maps_python(
            root, by_loader=name.startswith(_LOADERS)
        ):
            return False
        return not _is_worker(root)
    except (FileNotFoundError, ProcessLookupError):
        return False


def _maps_python(root: Path, *, by_loader: bool) -> bool:
    """Whether it is linked with an interpreter, or *by_loader*: is one, called by the loader."""
    try:
        touch(root / "maps")
        maps = (root / "maps").read_bytes()
    except PermissionError:
        return False
    return bool(_LIBPYTHON.search(maps) or (by_loader and _PROGRAM.search(maps)))


def _exe_contains_interpreter(pid: int) -> bool:
    with Root.of_process(pid, Budget(max_bytes=_MAX_PROGRAM)) as root:
        try:
            with root.open_program(pid) as file:
                return _contains(file, _INTERPRETER)
        except OSError:
            return False


def _contains(file: BinaryIO, wanted: bytes) -> bool:
    """Whether the bytes are in a file: read in pieces, as what is mapped may be cut off."""
    before = b""
    while piece := file.read(_PIECE):
        if wanted in before + piece:
            return True
        before = piece[-len(wanted) :]
    return False
