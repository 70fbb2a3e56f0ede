"""How a child process has ended, in words."""

import signal

from hangtui.model import Child


def how_ended(child: Child) -> str:
    """``ended with status 1``, ``was ended by SIGKILL``; of one whose status is not known
    ``has ended``."""
    status = child.exit_status
    if status is None:
        return "has ended"
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"was ended by {name}"
