"""tornado_mixed.py NAME [healthy]: tasks of asyncio that await generators of ``gen.coroutine``."""

import asyncio
import sys

from ready import ready
from tornado import gen, ioloop, locks

HEALTHY = sys.argv[2:] == ["healthy"]
PAUSE_S = 0.02


@gen.coroutine
def second(lock):
    with (yield lock.acquire()):  # wants the second
        yield gen.sleep(PAUSE_S)


@gen.coroutine
def first(target):
    yield gen.sleep(PAUSE_S)
    yield second(target)  # waits for the other generator


async def move(source, target):
    while True:
        async with source:  # takes the first
            await first(target)


async def ring():
    left, right = locks.Lock(), locks.Lock()
    both = [(left, right), (left, right) if HEALTHY else (right, left)]
    await asyncio.gather(*(move(*one) for one in both))


async def main():
    asyncio.get_running_loop().call_later(0.3, ready)
    await globals()[sys.argv[1]]()


ioloop.IOLoop.current().run_sync(main)
