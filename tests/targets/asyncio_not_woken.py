"""A thread sets a future of asyncio without waking the event loop: ``asyncio_not_woken.py [SAFE]``.

With an argument it is set as it should be, again and again.
"""

import asyncio
import queue
import sys
import threading
import time

from ready import ready


async def await_rate(loop, started):
    future = loop.create_future()
    started.put(future)
    return await future


def set_rates(loop, started):
    future = started.get()
    while True:
        time.sleep(0.02)
        if len(sys.argv) > 1:
            loop.call_soon_threadsafe(future.set_result, 1.08)
            future = started.get()
        elif not future.done():
            future.set_result(1.08)
            ready()


async def main(loop):
    started = queue.Queue()
    threading.Thread(target=set_rates, args=(loop, started), daemon=True).start()
    if len(sys.argv) > 1:
        ready()
    while True:
        await await_rate(loop, started)


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    loop.run_until_complete(main(loop))
