"""Asks the guard to copy registers and stacks of a process; the guard stops it for that."""

import json
import mmap
import os
import struct
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from hangtui.backends.arch import AARCH64, X86_64, of_kernel
from hangtui.backends.memory.reader import Memory
from hangtui.backends.permission import access
from hangtui.backends.procfs.thread_syscall import BlockedThread, parse
from hangtui.backends.ptrace.stopped_threads import FrozenThread
from hangtui.backends.tools import programs
from hangtui.dataclass import dataclass
from hangtui.model import TargetError

_STARTER = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from hangtui.backends.ptrace.freezer.helper import main; "
    "sys.exit(main(int(sys.argv[2]), int(sys.argv[3])))"
)
_TRIED = (X86_64, AARCH64)
"""On which processors stops have been tried: how to leave a call as it was is known of each."""
_LIMIT_S = 20.0
"""For the whole of it. The stop itself ends after ``wait_s`` at the latest."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What the guard copied at one moment."""

    stopped_ms: float = 0.0
    """For how long threads stood still, in milliseconds."""
    stopped: Mapping[int, FrozenThread] = field(default_factory=dict)
    """By TID: the threads that were stopped, with their registers."""
    untouched: Mapping[int, BlockedThread] = field(default_factory=dict)
    """By TID: where those sleep that were left alone. Their stacks are copied as well."""
    skipped: Mapping[int, str] = field(default_factory=dict)
    """By TID: why a thread was not stopped."""
    interrupted: tuple[int, ...] = ()
    """Threads that entered a call in the moment of their stop which returned EINTR for it."""
    pieces: tuple[tuple[int, memoryview], ...] = ()
    """Addresses and contents of the copied memory, in order, not overlapping."""


def freeze(
    memory: Memory,
    *,
    everyone: bool = True,
    also: Iterable[int] = (),
    ranges: Sequence[tuple[int, int]] = (),
    stack_bytes: int = 8 << 20,
    pointed_pages: int = 0,
    wait_s: float = 0.1,
) -> Copied:
    """Stop threads of a process, copy their registers and all threads' stacks, let them run.

    Threads whose system call a stop would break (``guard.calls``) are never stopped.

    Args:
        memory: of the process.
        everyone: also stop sleeping threads, for all of their registers; otherwise those that run.
        also: sleeping threads that are stopped in any case.
        ranges: memory to copy in the same moment, as addresses and sizes.
        stack_bytes: how much of each stack to copy at most.
        pointed_pages: how many of the pages that registers point to to copy at most.
        wait_s: how long to wait for threads to stop at most, in seconds; a little longer where they
            are thousands.

    Raises:
        TargetError: nothing could be copied; it says why.
    """
    pid = memory.pid
    if memory.emulator or memory.arch is not of_kernel() or memory.arch not in _TRIED:
        runs = f"{memory.arch.name} in {memory.emulator}" if memory.emulator else memory.arch.name
        raise TargetError(f"process {pid} is not stopped: it runs code for {runs}")
    order = {
        "pid": pid,
        "everyone": everyone,
        "also": list(also),
        "ranges": list(ranges),
        "wait_s": wait_s,
        "stack_bytes": stack_bytes,
        "pointed_pages": pointed_pages,
    }
    shared = os.memfd_create("hangtui-guard")
    try:
        answer = _ask(pid, order, shared)
        size = os.fstat(shared).st_size
        content = memoryview(mmap.mmap(shared, size, prot=mmap.PROT_READ) if size else b"")
    finally:
        os.close(shared)
    if "error" in answer:
        raise _refused(pid, str(answer["error"]))
    return _copied(answer, content, memory)


def _ask(pid: int, order: dict[str, Any], memory: int) -> dict[str, Any]:
    """The guard's answer.

    Raises:
        TargetError: there is none.
    """
    try:
        # A session of its own keeps our terminal's signals away; it dies with us all the same.
        guard = subprocess.run(
            programs.small_python(_STARTER, str(os.getpid()), str(memory)),
            input=json.dumps(order).encode() + b"\n",
            capture_output=True,
            pass_fds=(memory,),
            start_new_session=True,
            cwd="/",
            env=programs.python_environment(),
            timeout=_LIMIT_S,
        )
        answer = json.loads(guard.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise TargetError(f"the guard of process {pid} ended early: {error}") from error
    assert isinstance(answer, dict)
    return answer


def _refused(pid: int, reason: str) -> TargetError:
    if not Path(f"/proc/{pid}").exists():
        return TargetError(f"process {pid} is gone")
    return TargetError(f"process {pid} may not be traced: {reason}", access.fix(pid))


def _copied(answer: dict[str, Any], content: memoryview, memory: Memory) -> Copied:
    arch = of_kernel()
    layout = arch.registers.layout
    skipped = {int(tid): str(reason) for tid, reason in answer["skipped"].items()}
    parsed = {int(tid): parse(" ".join(words)) for tid, words in answer["untouched"].items()}
    stopped = [
        FrozenThread.of(int(tid), struct.unpack(layout, bytes.fromhex(raw)), arch, memory)
        for tid, raw in answer["registers"].items()
    ]
    return Copied(
        round(answer["stopped_ms"], 3),
        {thread.tid: thread for thread in stopped},
        {tid: where for tid, where in parsed.items() if where is not None},
        skipped,
        tuple(answer["interrupted"]),
        tuple((address, content[at : at + size]) for address, size, at in answer["pieces"]),
    )
