"""Starts the broom, which tidies up after us also if we are killed."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Self

from hangtui.backends.tools import programs
from hangtui.backends.tools.sweep import FOLDER, PROCESS, STARTER

_BLOCKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_END_S = 1.0


class Broom:
    """A context manager: leaving the block means that there is nothing left to tidy up, but for
    folders that are still there: a signal may have ended us while we removed them.

    If it cannot be started, there may be no more processes, it does nothing.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._folders: list[Path] = []
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _BLOCKED)  # it inherits that
        try:
            self._process = subprocess.Popen(
                programs.small_python(STARTER),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                env=programs.python_environment(),
                start_new_session=True,
            )
        except OSError:
            pass
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        process, self._process = self._process, None
        if process is not None:
            if not any(map(os.path.lexists, self._folders)):
                process.kill()
            assert process.stdin is not None
            process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)

    def removes(self, folder: Path) -> None:
        """Have it remove a folder when we are gone; to be said before there is one."""
        self._folders.append(folder)
        self._tell(FOLDER + os.fsencode(folder))

    def ends(self, pid: int) -> None:
        """Have it kill a child of ours, not yet waited for, when we are gone."""
        self._tell(PROCESS + str(pid).encode())

    def _tell(self, message: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):  # somebody has ended it
                self._process.stdin.write(message + b"\0")
