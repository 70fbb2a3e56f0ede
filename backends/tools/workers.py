"""Starts and ends processes of ours that read while the screens that ask them stay quick.

Needs asyncio, which nobody else here does.
"""

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, PIPE, Process

from hangtui.backends import precedence
from hangtui.backends.tools import programs


async def start(module: str) -> Process:
    """A process that runs *module*, asked through its input, which answers through its output."""
    process = await asyncio.create_subprocess_exec(
        *programs.python(module),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        cwd="/",
        env=programs.python_environment(),
        start_new_session=True,  # ^C in the terminal is for the screens alone
    )
    precedence.favour_session(process.pid)  # at once: it would wait for its turn to do so itself
    return process


async def await_end(worker: Process, grace_s: float) -> None:
    """Wait for a worker that was told to end; after *grace_s* seconds it is killed."""
    try:
        await asyncio.wait_for(worker.wait(), grace_s)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
        await worker.wait()
