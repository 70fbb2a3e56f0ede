"""Starts a command on the terminal that is there, seized before its first instruction."""

import contextlib
import os
import signal
import struct
from collections.abc import Sequence

from hangtui.backends.catch.tracer import Tracer
from hangtui.model import TargetError, UsageError, clean

_RESTORED = (signal.SIGPIPE, signal.SIGXFSZ)
"""Python ignores them; a program expects them to be as usual."""
_NOT_STARTED = 127


class Child:
    """A started command; it waits for `go`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        held, self._release = os.pipe()
        self._errors, report = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._release)
            os.close(self._errors)
            _become(words, held, report)
        os.close(held)
        os.close(report)

    def seize(self, tracer: Tracer) -> None:
        """Have *tracer* follow it.

        Raises:
            TargetError: this process may not trace another one.
        """
        tracer.seize(self.pid)

    def go(self) -> None:
        """Let it begin."""
        os.close(self._release)

    def require_started(self, status: int) -> None:
        """After its end.

        Raises:
            UsageError: the command could not be started at all.
        """
        os.set_blocking(self._errors, False)
        with contextlib.suppress(BlockingIOError):
            raw = os.read(self._errors, 4)
            if len(raw) == 4 and os.waitstatus_to_exitcode(status) == _NOT_STARTED:
                reason = os.strerror(struct.unpack("<i", raw)[0])
                raise UsageError(f"cannot run {clean(self._words[0])}: {reason}")


def _become(words: Sequence[str], held: int, report: int) -> None:
    try:
        os.read(held, 1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        for number in _RESTORED:
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], list(words))
    except OSError as error:
        with contextlib.suppress(OSError):
            os.write(report, struct.pack("<i", error.errno or 0))
    finally:
        os._exit(_NOT_STARTED)


def untraced(child: Child) -> int:
    """Wait for a child that nobody traces; its wait status.

    Raises:
        TargetError: it cannot be waited for.
    """
    try:
        return os.waitpid(child.pid, 0)[1]
    except ChildProcessError as error:
        raise TargetError(f"process {child.pid} is gone") from error
