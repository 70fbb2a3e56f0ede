"""The guard of a gdb that holds a process: sees that the process runs on, whoever dies.

gdb detaches when its input ends, but only once it has done what it is at; and a gdb that dies while
it attaches leaves the process stopped. So this watches two things: the pipe from whoever uses gdb,
and gdb itself. When either ends, gdb is ended, by force if need be, and the process continued if
it was left stopped.
"""

import os
import select
import signal

from hangtui.backends.gdb.safety import let_run

_PATIENCE_S = 3.0
"""How long gdb gets to detach before it is killed."""
_RESCUE_S = 0.5
"""How long a stop signal that gdb has sent may take to show."""
DISMISSED = b"."


def main(gdb: int, target: int) -> int:
    """Watch until gdb has ended or the watch is called off; both are PIDs."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        its = os.pidfd_open(target)
    except ProcessLookupError:
        return 1  # nobody to care for
    try:
        process = os.pidfd_open(gdb)
    except ProcessLookupError:
        let_run(target, _RESCUE_S, its)
        return 0
    os.write(1, DISMISSED)  # from here on the process is safe
    ready, _, _ = select.select([0, process], [], [])
    if process not in ready:
        if os.read(0, 1) == DISMISSED:
            return 0
        _end(process)
    let_run(target, _RESCUE_S, its)
    return 0


def _end(process: int) -> None:
    """End gdb: politely, so that it can detach, then by force.

    Never by SIGTERM: while gdb has the target running it passes that on, as SIGINT.
    """
    for number, patience in ((signal.SIGHUP, _PATIENCE_S), (signal.SIGKILL, _PATIENCE_S)):
        try:
            signal.pidfd_send_signal(process, number)
        except ProcessLookupError:
            return
        if select.select([process], [], [], patience)[0]:
            return
