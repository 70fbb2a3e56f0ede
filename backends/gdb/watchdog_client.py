"""Starts the guard of a gdb that holds a process."""

import contextlib
import subprocess

from hangtui.backends.gdb.watchdog import DISMISSED
from hangtui.backends.tools import programs

_STARTER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from hangtui.backends.gdb.watchdog import main; "
    "sys.exit(main(int(sys.argv[2]), int(sys.argv[3])))"
)


class Keeper:
    """Watches gdb from its creation to ``dismiss``, and longer if whoever made it dies."""

    def __init__(self, gdb: int, target: int) -> None:
        """Start the watch, and return once it watches.

        Args:
            gdb: PID of gdb, not yet waited for.
            target: PID of the process that it is about to attach to.

        Raises:
            OSError: it does not start.
        """
        self._process = subprocess.Popen(
            programs.small_python(_STARTER, str(gdb), str(target)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            env=programs.python_environment(),
            start_new_session=True,  # our terminal's signals are not for it
        )
        assert self._process.stdout is not None
        with self._process.stdout as output:
            if not output.read(1):
                self.dismiss()
                raise OSError("the guard of gdb does not start")

    def dismiss(self) -> None:
        """gdb has ended in order and the process runs."""
        with self._process as process, contextlib.suppress(OSError):
            assert process.stdin is not None
            process.stdin.write(DISMISSED)
