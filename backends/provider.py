"""Captures of live processes for the screens, taken by a worker process."""

import asyncio
import contextlib
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator

from hangtui.backends.tools import workers
from hangtui.model import Capture, TargetError
from hangtui.provider import CaptureRequest

_GRACE_S = 3.0
"""How long a worker may take to let go of its targets, in seconds."""


class LiveProvider:
    """Takes captures of live processes."""

    @property
    def live(self) -> bool:
        """Another capture can be taken at any time."""
        return True

    async def take(self, request: CaptureRequest) -> AsyncIterator[Capture]:
        """See ``CaptureProvider.take``."""
        from hangtui.backends.supervision.reader import request_line

        worker = await workers.start("hangtui.backends.worker")
        try:
            assert worker.stdin is not None
            worker.stdin.write(request_line(request, {}, steps=True))
            worker.stdin.close()
            async for capture in _messages(worker):
                yield capture
        finally:
            await _end(worker)


async def _messages(worker: Process) -> AsyncIterator[Capture]:
    from hangtui.backends.supervision.flat import decode
    from hangtui.backends.supervision.reader import CAPTURE, FRAME
    from hangtui.backends.supervision.supervisor import failure

    assert worker.stdout is not None
    while True:
        try:
            kind, length = FRAME.unpack(await worker.stdout.readexactly(FRAME.size))
            body = await worker.stdout.readexactly(length)
        except asyncio.IncompleteReadError:
            break
        if kind != CAPTURE:
            raise failure(body)
        yield decode(body)
    status = await worker.wait()
    if status not in (0, 2):
        raise TargetError(f"the capture failed unexpectedly (worker status {status})")


async def _end(worker: Process) -> None:
    """End the worker: it lets go of its targets on SIGTERM; only if it hangs, it is killed."""
    if worker.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        worker.send_signal(signal.SIGTERM)
    await workers.await_end(worker, _GRACE_S)
