"""The process that takes captures for the screens: ``python -m hangtui.backends.worker``.

It reads one request from standard input and writes messages to standard output, each a length and
a capture. A process of its own, so that a slow or failing source can neither hold up nor take down
the screens, and can be ended at any time.
"""

import ctypes
import os
import signal
import struct
import sys
from typing import BinaryIO

import msgspec

from hangtui.backends.collect import collect
from hangtui.capture_file import encode
from hangtui.model import HangtuiError
from hangtui.provider import CaptureRequest

FRAME = struct.Struct(">cI")
"""Kind and length of a message."""
CAPTURE, ERROR = b"c", b"e"
_PR_SET_PDEATHSIG = 1
"""linux/prctl.h"""


class Failure(msgspec.Struct):
    """The error that ended the taking."""

    message: str
    fix: str | None = None


def send(stream: BinaryIO, kind: bytes, body: bytes) -> None:
    """Write one message."""
    stream.write(FRAME.pack(kind, len(body)) + body)
    stream.flush()


def main() -> int:
    """Serve one request; 0 if a complete capture was sent."""
    _end_with_parent()
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=CaptureRequest)
    output = sys.stdout.buffer
    try:
        for capture in collect(request):
            send(output, CAPTURE, encode(capture))
    except HangtuiError as error:
        send(output, ERROR, msgspec.json.encode(Failure(error.message, error.fix)))
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _end_with_parent() -> None:
    """SIGTERM, which lets a running gdb detach first, when the screens' process goes away."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
