"""Starts a command on the terminal that is there, seized before its first instruction.

It gets what it would have got without us: environment, signal mask, signals and their defaults.
"""

import contextlib
import os
import shlex
import signal
import struct
from collections.abc import Collection, Sequence

from hangtui.backends.monitor.tracer import Tracer
from hangtui.model import TargetError, UsageError, clean

_RESTORED = (signal.SIGPIPE, signal.SIGXFSZ)
"""Python ignores them; a program expects them to be as usual."""
_PUT_ASIDE = "HANGTUI_LD_PRELOAD"
"""What LD_PRELOAD was before our own launcher (script/portable) started us without it."""
_NOT_STARTED = 127
TYPED: frozenset[int] = frozenset({signal.SIGINT, signal.SIGQUIT})
"""Signals that a terminal sends to the command as well as to us; they must be blocked here."""


class Child:
    """A started command; it waits for `go`. *mask*: the signals that it is to have blocked."""

    def __init__(self, words: Sequence[str], mask: Collection[int]) -> None:
        self._words = words
        held, self._release = os.pipe()
        self._errors, report = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._release)
            os.close(self._errors)
            _become(words, mask, held, report)
        os.close(held)
        os.close(report)

    def seize(self, tracer: Tracer) -> None:
        """Have *tracer* follow it.

        Raises:
            TargetError: this process may not trace another one.
        """
        tracer.seize(self.pid)

    def go(self) -> None:
        """Let it begin. If we end before, it ends too."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._release, b".")
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
                word = clean(self._words[0])
                fix = f"command -v {shlex.quote(word)}   (or give its path)"
                raise UsageError(f"cannot run {word}: {reason}", fix)


def _become(words: Sequence[str], mask: Collection[int], held: int, report: int) -> None:
    try:
        if not os.read(held, 1):
            return
        for number in _RESTORED:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.execvpe(words[0], list(words), _environment())
    except OSError as error:
        with contextlib.suppress(OSError):
            os.write(report, struct.pack("<i", error.errno or 0))
    finally:
        os._exit(_NOT_STARTED)


def _environment() -> dict[str, str]:
    found = dict(os.environ)
    if _PUT_ASIDE in found:
        found["LD_PRELOAD"] = found.pop(_PUT_ASIDE)
    return found


def pass_on(typed: signal.struct_siginfo, pid: int) -> None:
    """Give *pid* a signal of `TYPED` that somebody sent to us alone, and not the terminal."""
    if typed.si_code <= 0:  # SI_USER and below, asm-generic/siginfo.h: a process sent it
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, typed.si_signo)


def untraced(child: Child) -> int:
    """Wait for a child that nobody traces; its wait status. SIGCHLD must be blocked.

    Raises:
        TargetError: it cannot be waited for.
    """
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)  # as a container's first process, any other
            if pid == child.pid:
                return status
            if not pid:
                heard = signal.sigwaitinfo({signal.SIGCHLD, *TYPED})
                if heard.si_signo in TYPED:
                    pass_on(heard, child.pid)
    except ChildProcessError as error:
        raise TargetError(f"process {child.pid} is gone") from error
