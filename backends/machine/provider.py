"""Glances at all processes for the screens, taken by a worker process."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import msgspec

from hangtui.backends.supervision.reader import FRAME
from hangtui.backends.tools import workers
from hangtui.model import Sighting, TargetError

_GRACE_S = 1.0
_MOST_BYTES = 64 << 20


class LiveMachine:
    """See ``hangtui.provider.MachineProvider``."""

    async def glances(self) -> AsyncGenerator[list[Sighting], None]:
        """What is seen, every two seconds."""
        try:
            worker = await workers.start("hangtui.backends.machine.worker")
        except OSError as error:
            raise TargetError(f"no process can be started: {error.strerror or error}") from error
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            while True:
                try:
                    _, length = FRAME.unpack(await worker.stdout.readexactly(FRAME.size))
                    if length > _MOST_BYTES:
                        break
                    body = await worker.stdout.readexactly(length)
                except asyncio.IncompleteReadError:
                    break
                yield msgspec.json.decode(body, type=list[Sighting])
            raise TargetError("the processes of this machine cannot be listed any more")
        finally:
            worker.stdin.close()
            with contextlib.suppress(ProcessLookupError):
                worker.terminate()
            await workers.await_end(worker, _GRACE_S)
            await worker.communicate()  # what it still wrote: only then are its pipes closed
