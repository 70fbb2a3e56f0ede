"""Takes captures in a child process, and ends that when one of the processes holds it up.

A process can make whoever reads it wait for ever in the kernel, and by bad luck so that not even
SIGKILL ends it. Nothing that the child does can hold up this side: it is never waited for without
an end.
"""

import contextlib
import json
import mmap
import os
import select
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from hangtui.backends import heartbeat
from hangtui.backends.linux import PAGE
from hangtui.backends.procfs.files import PROC, stat_of
from hangtui.backends.supervision import reader
from hangtui.backends.supervision.reader import BUG, CAPTURE, DONE, ERROR, FRAME
from hangtui.backends.tools.sweep import is_broom
from hangtui.model import TargetError
from hangtui.provider import CaptureRequest, NativeMode

_TICK_S = 0.1
_COMPUTING = 0.25
"""How much processor time counts: the child bounds it itself, but for code that is not Python."""
_GRACE_S = 3.0
"""How long it may take to let go of its targets when it is asked to, in seconds."""
_DEATH_S = 0.5
_MOST = 512 << 20
"""Bytes of one capture."""


class ReaderError(Exception):
    """The child failed by a mistake of ours; the message is its traceback."""


class LateError(Exception):
    """The time for a capture is over, and it is not complete."""


class _StuckError(Exception):
    """The child does not come back from one process."""

    def __init__(self, blamed: tuple[int, ...], reason: str) -> None:
        super().__init__(reason)
        self.blamed, self.reason = blamed, reason


class Reader:
    """Takes captures, one after the other; a context manager that ends the child."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, PAGE)
        self._child: _Child | None = None
        self._aside: dict[int, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the child, if there is none: to be done before there are threads."""
        self._child = self._child or _Child(self._page)

    def close(self) -> None:
        """End the child."""
        # A signal may end this half-way: what has been closed is not to be closed again at exit.
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def take(
        self, request: CaptureRequest, *, steps: bool = False, until: float | None = None
    ) -> Iterator[bytes]:
        """Encoded captures that grow, or with *steps* false the last one alone.

        If a process holds the reading up, all are read anew but that one, and it says so. *until*:
        when to give up, by the monotonic clock.

        Raises:
            TargetError: no process could be read at all.
            LateError: it is *until*; all that was known by then has been yielded.
            ReaderError: a mistake of ours.
        """
        while True:
            self.start()
            assert self._child is not None
            try:
                self._child.ask(reader.request_line(request, self._aside, steps=steps))
                yield from self._child.answers(until)
            except _StuckError as stuck:
                self._child.kill()
                self._child = None
                pid = next((one for one in stuck.blamed if one and one not in self._aside), 0)
                if not pid:
                    raise TargetError(f"the processes could not be read: {stuck.reason}") from stuck
                self._aside[pid] = stuck.reason
            except LateError:
                # Whoever has stopped a target lets go of it first; to wait for that takes time.
                if request.native in (NativeMode.AUTO, NativeMode.NONE):
                    self._child.kill()
                    self._child = None
                else:
                    self.close()
                raise
            except BaseException:
                self.close()
                raise
            else:
                return


class _Child:
    def __init__(self, page: mmap.mmap) -> None:
        self._page = page
        heartbeat.clear(page)
        theirs, self._requests = os.pipe()
        self._answers, output = os.pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            try:
                os.close(self._requests)
                os.close(self._answers)
            finally:
                reader.main(theirs, output, page, parent)
        os.close(theirs)
        os.close(output)

    def ask(self, line: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):  # its end says why
            while line:
                line = line[os.write(self._requests, line) :]

    def answers(self, until: float | None) -> Iterator[bytes]:
        while True:
            kind, length = FRAME.unpack(self._read(FRAME.size, until))
            if length > _MOST:
                raise TargetError("the capture is larger than 512 MiB: look at fewer processes")
            body = self._read(length, until)
            if kind == CAPTURE:
                yield body
            elif kind == ERROR:
                raise failure(body)
            elif kind == BUG:
                raise ReaderError(body.decode(errors="replace"))
            elif kind == DONE:
                return

    def _read(self, size: int, until: float | None) -> bytes:
        """So many bytes, however long they take while something goes on.

        Raises:
            _StuckError: nothing goes on, or the child has ended.
            LateError: it is *until*.
        """
        parts, left = list[bytes](), size
        patience = _Patience(self._page, self.pid)
        while left:
            if select.select([self._answers], [], [], _TICK_S)[0]:
                part = os.read(self._answers, min(left, 1 << 20))
                if not part:
                    raise self._ended()
                parts.append(part)
                left -= len(part)
            if until is not None and time.monotonic() >= until:
                raise LateError
            patience.look()
        return b"".join(parts)

    def _ended(self) -> _StuckError:
        """Why it has ended before its answer was complete."""
        status = self._reap(_DEATH_S)
        blamed = heartbeat.beat(self._page).blamed
        if status is None or not os.WIFSIGNALED(status):
            how = "" if status is None else f", with status {os.waitstatus_to_exitcode(status)}"
            blamed, reason = (), f"the reading was ended{how}"
        else:
            name = signal.Signals(os.WTERMSIG(status)).name
            reason = f"the process that reads it ended (by {name})"
        return _StuckError(blamed, reason)

    def _reap(self, patience_s: float) -> int | None:
        """Its wait status; None: it lives on, or somebody else has asked for it."""
        limit = time.monotonic() + patience_s
        while True:
            try:
                found, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                return None
            if found:
                return status
            if time.monotonic() >= limit:
                return None
            time.sleep(0.002)

    def end(self) -> None:
        """Ask it to let go of all, and end it if it does not."""
        os.close(self._requests)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        if self._reap(_GRACE_S) is None:
            self._kill_all()
        os.close(self._answers)

    def kill(self) -> None:
        """End it and what it has started at once."""
        os.close(self._requests)
        self._kill_all()
        os.close(self._answers)

    def _kill_all(self) -> None:
        """It may be in a wait that nothing ends: then it is left there."""
        started = _descendants(self.pid)
        for pid in (self.pid, *started):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._reap(_DEATH_S)


class _Patience:
    """Counts for how long a child has been at one step."""

    def __init__(self, page: mmap.mmap, pid: int) -> None:
        self._page, self._pid = page, pid
        self._word, self._waited, self._computed = 0, 0.0, 0.0
        self._last = time.monotonic()

    def look(self) -> None:
        """Count the time since the last look.

        Raises:
            _StuckError: it is over.
        """
        now = time.monotonic()
        # We may have been suspended ourselves (^Z), with it.
        passed, self._last = min(now - self._last, 2 * _TICK_S), now
        beat = heartbeat.beat(self._page)
        if beat.word != self._word:
            self._word, self._waited = beat.word, 0.0
            _, self._computed = _doing(self._pid)
        elif beat.word:
            state, computed = _doing(self._pid)
            spent, self._computed = computed - self._computed, computed
            if state == "R":
                self._waited += _COMPUTING * spent  # it may get no processor for a while
            elif state not in "Tt":
                self._waited += passed
            if self._waited > beat.patience_s:
                reason = f"it could not be read within {beat.patience_s:g} s"
                raise _StuckError(beat.blamed, reason)


def _doing(pid: int) -> tuple[str, float]:
    """The kernel's letter for a process, and the processor time that it has used, in seconds."""
    try:
        found = stat_of(PROC / str(pid))
        return found.state, found.processor_s
    except (OSError, IndexError):
        return "Z", 0.0


def _descendants(pid: int) -> list[int]:
    """What a process has started, and that in turn, but for what tidies up after it."""
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            words = Path(f"/proc/{pid}/task/{task}/children").read_text().split()
            for child in map(int, words):
                if not is_broom(child):
                    found += [child, *_descendants(child)]
    return found


def failure(body: bytes) -> TargetError:
    """The error that a message tells of."""
    message, fix = json.loads(body)
    return TargetError(message, fix)
