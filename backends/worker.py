"""The process that takes captures for the screens: ``python -m hangtui.backends.worker``.

It reads one request from standard input and writes messages to standard output, each a length and
a capture. A process of its own, so that a slow or failing source can neither hold up nor take down
the screens, and can be ended at any time. What it is asked for a child of it reads.
"""

import os
import signal
import sys

from hangtui.backends import precedence
from hangtui.backends.supervision import reader
from hangtui.backends.supervision.reader import CAPTURE, ERROR, send
from hangtui.backends.supervision.supervisor import Reader
from hangtui.model import HangtuiError


def main() -> int:
    """Serve one request; 0 if a complete capture was sent."""
    # SIGTERM when the screens' process goes away: it lets a running gdb detach first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    precedence.raise_own()
    reader.end_with(os.getppid(), signal.SIGTERM)
    output = sys.stdout.buffer
    if reader.is_alone(output.fileno()):
        return 1
    try:
        with Reader() as own:
            own.start()
            request, _, _ = reader.request_of(sys.stdin.buffer.read())
            for body in own.take(request, steps=True):
                send(output, CAPTURE, body)
    except HangtuiError as error:
        send(output, ERROR, reader.failure(error))
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
