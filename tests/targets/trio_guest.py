"""trio_guest.py NAME [healthy]: tasks of trio that hang in guest mode, on a loop of asyncio."""

import asyncio
import sys

import trio
from ready import ready

HEALTHY = sys.argv[2:] == ["healthy"]
PAUSE_S = 0.02


async def move(source, target):
    while True:
        async with source:  # takes the first
            await trio.sleep(PAUSE_S)
            async with target:  # wants the second
                pass
        await trio.sleep(0)


async def ring():
    left, right = trio.Lock(), trio.Lock()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(move, left, right)
        nursery.start_soon(move, *((left, right) if HEALTHY else (right, left)))


async def serve():
    """Waits for somebody to connect."""
    await trio.serve_tcp(lambda stream: None, 0, host="127.0.0.1")


async def serve_nobody():
    """Waits for what nobody sets."""
    await trio.Event().wait()


async def host():
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    trio.lowlevel.start_guest_run(
        globals()[sys.argv[1]],
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        done_callback=lambda _: done.set(),
    )
    loop.call_later(0.2, ready)
    await done.wait()


asyncio.run(host())
