"""A task awaits inside of `with` on a lock for threads; the next one blocks the loop for it."""

import asyncio
import sys
import threading

from ready import ready

token_lock = threading.Lock()


async def fetch_token(second):
    if second:
        await asyncio.sleep(0.05)
        ready()
    with token_lock:
        await asyncio.sleep(0.2)


async def serve():
    await asyncio.wait([asyncio.ensure_future(fetch_token(second)) for second in (False, True)])


async def take_turns():
    ready()
    while True:
        await fetch_token(False)


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(take_turns() if "turns" in sys.argv else serve())
