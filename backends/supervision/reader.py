"""The process that reads others, at the mercy of what it reads: forked, and watched over.

It takes requests from one pipe, as lines of JSON, and answers each with messages on another: a kind
and a length, then a capture or an error.
"""

import contextlib
import gc
import json
import mmap
import os
import select
import signal
import struct
import sys
import traceback
from collections.abc import Iterator
from types import FrameType
from typing import BinaryIO, NoReturn

from hangtui.backends import heartbeat
from hangtui.backends.linux import die_with_parent
from hangtui.backends.supervision.flat import encode
from hangtui.model import Capture, HangtuiError
from hangtui.provider import CaptureRequest, NativeMode

FRAME = struct.Struct(">cI")
"""Kind and length of a message."""
CAPTURE, ERROR, BUG, DONE = b"c", b"e", b"x", b"."
_GC_THRESHOLDS = 100_000, 50, 100


def end_with(parent: int, number: int) -> None:
    """Get a signal when the thread that started this process ends; at once if it has ended."""
    if not die_with_parent(parent, number):
        os.kill(os.getpid(), number)


def is_alone(output: int) -> bool:
    """Whether nobody reads a pipe any more: whoever started us may have ended before `end_with`."""
    look = select.poll()
    look.register(output, 0)
    return any(seen & select.POLLERR for _, seen in look.poll(0))


def main(requests: int, answers: int, page: mmap.mmap, parent: int) -> NoReturn:
    """Serve requests until there are no more, in a child that was forked for it.

    Args:
        requests: where they come from, a descriptor.
        answers: where to write.
        page: where to say whom it reads.
        parent: who forked it, a PID.
    """
    code = 1
    try:
        end_with(parent, signal.SIGKILL)
        _let_go_of_all_but(requests, answers)
        _hear_signals()
        heartbeat.share(page, parent)
        # Modules and facts stay until the end: looking for garbage would be a tenth of the time.
        gc.set_threshold(*_GC_THRESHOLDS)
        # While the request is still being made:
        from hangtui.backends.capture.collector import collect

        with os.fdopen(requests, "rb") as lines, os.fdopen(answers, "wb") as output:
            for line in lines:
                request, aside, steps = request_of(line)
                heartbeat.shun(aside)
                with _telling_how_it_ended(output):
                    for capture in _wanted(collect(request, aside), steps):
                        send(output, CAPTURE, encode(capture))
        code = 0
    except BrokenPipeError:
        code = 1
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        os._exit(code)


def _let_go_of_all_but(*kept: int) -> None:
    """What waits for the end of our output must not wait for a reader that cannot even be killed.

    Descriptors stay occupied, since objects that were forked with us may still close theirs.
    """
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in (*kept, nowhere):
            with contextlib.suppress(OSError):  # the one of the listing is closed
                os.dup2(nowhere, int(name), inheritable=int(name) < 3)
    null = open(os.devnull, "w")  # noqa: PTH123, SIM115
    sys.stdout = sys.stderr = null


def _hear_signals() -> None:
    """End in order when asked to; ^C at the terminal is for who forked us, who asks us then."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def request_of(line: bytes) -> tuple[CaptureRequest, dict[int, str], bool]:
    """What `request_line` made a line of."""
    pids, children, native, follow, aside, steps = json.loads(line)
    request = CaptureRequest(tuple(pids), children, NativeMode(native), follow)
    return request, dict(aside), steps


def request_line(request: CaptureRequest, aside: dict[int, str], *, steps: bool) -> bytes:
    """A request as a line; *aside*: why processes are not to be read, *steps*: send every step."""
    asked = [request.pids, request.children, request.native, request.follow]
    return json.dumps([*asked, list(aside.items()), steps]).encode() + b"\n"


@contextlib.contextmanager
def _telling_how_it_ended(output: BinaryIO) -> Iterator[None]:
    try:
        yield
    except HangtuiError as error:
        send(output, ERROR, failure(error))
    except Exception:  # noqa: BLE001  said by who forked us
        send(output, BUG, traceback.format_exc().encode("utf-8", "backslashreplace"))
    else:
        send(output, DONE, b"")


def failure(error: HangtuiError) -> bytes:
    """An error as the body of a message."""
    return json.dumps([error.message, error.fix]).encode()


def _wanted(captures: Iterator[Capture], steps: bool) -> Iterator[Capture]:
    """All of them, or the last one."""
    last = None
    for capture in captures:
        if steps:
            yield capture
        last = capture
    if last is not None and not steps:
        yield last


def send(output: BinaryIO, kind: bytes, body: bytes) -> None:
    """Write one message."""
    output.write(FRAME.pack(kind, len(body)))
    output.write(body)
    output.flush()
