"""Runs one command for a while at most, apart from the process that asked for it.

Started as a program of its own, with the limit in seconds, the name of the option and the command
as arguments. The command gets our input, output and environment, and a session of its own: all of
it ends at the limit. Needs nothing of hangtui, so that it starts at once.
"""

import contextlib
import os
import signal
import subprocess
import sys

STARTER = "import sys; sys.path.append(sys.argv[1]); from hangtui.cli.aside import main; main()"
"""What an interpreter runs; its first argument: the folder that this package is in."""
_GRACE_S = 5.0
"""Between SIGTERM and SIGKILL."""


def main() -> None:
    """Run it, and say how it ended unless it ended well."""
    limit_s, option, command = float(sys.argv[2]), sys.argv[3], sys.argv[4]
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # a watch has some blocked
    child = subprocess.Popen(["/bin/sh", "-c", command], start_new_session=True)
    try:
        how = _told(child.wait(limit_s))
    except subprocess.TimeoutExpired:
        _end(child)
        how = f"was ended after {limit_s:.0f} s (--on-limit)"
    if how:
        sys.stderr.write(f"hangtui: the command of {option} {how}\n")


def _told(code: int) -> str:
    if code < 0:
        return f"was ended by signal {-code}"
    return f"ended with exit status {code}" if code else ""


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End it and all that it started in its session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE_S)
