"""The process that glances at all others: ``python -m hangtui.backends.machine.worker``.

It writes what it sees to standard output every two seconds, each time a length and JSON, until its
input ends. A process of its own: whoever shows the list is never held up by what it reads.
"""

import os
import select
import signal
import sys

import msgspec

from hangtui.backends.machine.glances import Glances
from hangtui.backends.supervision.reader import CAPTURE, end_with, is_alone, send

EVERY_S = 2.0


def main() -> int:
    """Look until nobody asks any more."""
    end_with(os.getppid(), signal.SIGTERM)
    output = sys.stdout.buffer
    if is_alone(output.fileno()):
        return 1
    glances = Glances()
    try:
        while True:
            send(output, CAPTURE, msgspec.json.encode(glances.look()))
            ready, _, _ = select.select([0], [], [], EVERY_S)
            if ready and not os.read(0, 1 << 10):
                return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
