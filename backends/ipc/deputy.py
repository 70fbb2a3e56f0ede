"""Asks the kernel what it may never answer, in a process that can be left behind.

What a descriptor refers to is the other process's choice, and it may choose anew between our look
and our question: an epoll set whose lock a thread holds that waits for a page of a FUSE file
system, or a file of such a system itself. Who reads the details of the one, asks for the status of
the other, or closes a duplicate of it, waits for as long as its owner likes, and cannot even be
killed. So a forked copy of this process asks; it has closed all that it was born with.
"""

import contextlib
import gc
import json
import os
import select
import signal
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hangtui.backends import heartbeat
from hangtui.backends.ipc import timeouts
from hangtui.backends.linux import die_with_parent
from hangtui.backends.procfs.files import PROC, text

_ANSWER_LIMIT_S = 0.4
"""The kernel answers within microseconds, even of thousands of locks within milliseconds."""
_MOST_OF_ONE_S = 1.0
"""For all answers about one process: each may take a little less than is silence."""
_MAX_LOST = 3
"""After so many silent processes nobody is asked any more: each has cost the whole limit."""
_LOCKS_LIMIT_S = 0.2
"""For the locks of all open files of one process, in seconds of a processor."""
_MAX_DETAILS, _MAX_LOCKS = 64 << 10, 4096
"""Bytes of one file of fdinfo, and locks of one process: more are more than one can tell of."""


class Deputy:
    """Started when it is needed first; it ends when it is closed, or with our process.

    *silent* is called with the PID of a process about which the kernel gives no answer: once, and
    nothing is asked about that one any more.
    """

    def __init__(self, silent: Callable[[int], None] = lambda _: None) -> None:
        self._silent = silent
        self._distrusted: set[int] = set()
        self._slow: set[int] = set()
        """Who is asked about no more, but has cost no process that asks."""
        self._took_s: dict[int, float] = {}
        self._process: _Fork | None = None

    def close(self) -> None:
        """End the process that asks."""
        if self._process is not None:
            self._process.leave()
            self._process = None

    def details(self, pid: int, fd: int) -> str:
        """The text of ``/proc/PID/fdinfo/FD``; empty where it cannot be read."""
        details: str | None = self._ask(pid, "details", fd)
        return details or ""

    def status(self, pid: int, fd: int) -> tuple[int, int, int] | None:
        """Mode, device and inode of what is open; None: it cannot be seen."""
        found = self._ask(pid, "status", fd)
        return (found[0], found[1], found[2]) if found else None

    def has_timeout(self, pid: int, fd: int, option: int) -> bool | None:
        """Whether a socket has a timeout of this kind; None: it cannot be seen."""
        answer: bool | None = self._ask(pid, "has_timeout", fd, option)
        return answer

    def nature(self, pid: int, fd: int) -> tuple[int, int, bool, str | None] | None:
        """What kind of socket it is, see `timeouts.nature`; None: it cannot be seen."""
        found = self._ask(pid, "nature", fd)
        return (found[0], found[1], found[2], found[3]) if found else None

    def locks(self, pid: int, fds: Sequence[int]) -> list[tuple[int, str]] | None:
        """The ``lock`` lines of these descriptors; None: they are too many, or take too long."""
        found = self._ask(pid, "locks", fds)
        return None if found is None else [(fd, line) for fd, line in found]

    def _ask(self, pid: int, *question: object) -> Any:
        """The answer; None: there is none."""
        if pid in self._distrusted or len(self._distrusted) >= _MAX_LOST:
            return None
        if pid in self._slow or heartbeat.is_shunned(pid):
            return None
        heartbeat.reading(pid)
        begun = time.monotonic()
        try:
            process = self._process or _Fork()
        except OSError:  # there may be no more processes
            return None
        self._process = process
        try:
            answer = process.answer([pid, *question])
        except TimeoutError:
            self._distrusted.add(pid)
            self._silent(pid)
        except (OSError, ValueError):
            pass
        else:
            took_s = self._took_s.get(pid, 0.0) + time.monotonic() - begun
            self._took_s[pid] = took_s
            if took_s > _MOST_OF_ONE_S:
                self._slow.add(pid)
                self._silent(pid)
            return answer
        process.leave()
        self._process = None
        return None


class _Fork:
    """The process that asks."""

    def __init__(self) -> None:
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        with warnings.catch_warnings():  # it runs nothing that another thread may hold a lock of
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if not pid:
            _be_deputy(os.getppid(), questions, answers)
        os.close(questions)
        os.close(answers)
        self._end = weakref.finalize(self, _end, pid, self._questions, self._answers)

    def answer(self, question: Sequence[object]) -> Any:
        """What it says.

        Raises:
            TimeoutError: nothing.
            OSError, ValueError: it has ended.
        """
        os.write(self._questions, json.dumps(question).encode() + b"\n")
        deadline, said = time.monotonic() + _ANSWER_LIMIT_S, b""
        while not said.endswith(b"\n"):
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._answers], [], [], left)[0]:
                raise TimeoutError
            part = os.read(self._answers, 1 << 16)
            if not part:
                raise ValueError("it has ended")
            said += part
        return json.loads(said)

    def leave(self) -> None:
        """Have nothing more to do with it, whether it ends or not."""
        self._end()


def _end(pid: int, *descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 0.1
        # One that hangs in the kernel does not die: it is left to whoever comes after us.
        while not os.waitpid(pid, os.WNOHANG)[0] and time.monotonic() < deadline:
            time.sleep(0.0005)


# -- in the process that asks ---------------------------------------------------------------------


def _be_deputy(parent: int, questions: int, answers: int) -> None:
    """Answer until nobody asks any more; does not return."""
    try:
        if die_with_parent(parent, signal.SIGKILL):
            gc.disable()
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in range(3):  # whoever reads what we print must not wait for this one
                os.dup2(nothing, descriptor)
            for name in os.listdir("/proc/self/fd"):
                if int(name) > 2 and int(name) not in (questions, answers):
                    with contextlib.suppress(OSError):  # the folder's own
                        os.close(int(name))
            _serve(questions, answers)
    finally:
        os._exit(0)


def _serve(questions: int, answers: int) -> None:
    with open(questions, "rb") as asked:
        for line in asked:
            pid, name, *arguments = json.loads(line)
            try:
                answer: object = _ANSWERS[name](pid, *arguments)
            except OSError:
                answer = None
            said = json.dumps(answer).encode() + b"\n"
            while said:
                said = said[os.write(answers, said) :]


def _details(pid: int, fd: int) -> str:
    try:
        return text(PROC / str(pid) / "fdinfo" / str(fd), _MAX_DETAILS) or ""
    except OSError:
        return ""


def _status(pid: int, fd: int) -> tuple[int, int, int]:
    status = Path(f"{PROC}/{pid}/fd/{fd}").stat()
    return status.st_mode, status.st_dev, status.st_ino


def _locks(pid: int, fds: Sequence[int]) -> list[tuple[int, str]] | None:
    found: list[tuple[int, str]] = []
    begun = time.thread_time()
    for fd in fds:
        if time.thread_time() - begun > _LOCKS_LIMIT_S:
            return None
        lines = (line.partition(":") for line in _details(pid, fd).splitlines())
        found += [(fd, value.strip()) for key, _, value in lines if key == "lock"]
        if len(found) > _MAX_LOCKS:
            return None
    return found


_ANSWERS: dict[str, Callable[..., object]] = {
    "details": _details,
    "status": _status,
    "has_timeout": timeouts.has_timeout,
    "nature": timeouts.nature,
    "locks": _locks,
}
