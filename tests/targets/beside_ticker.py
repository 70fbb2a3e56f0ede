"""beside_ticker.py NAME [healthy]: one part of a program hangs, beside an event loop that ticks.

collected: a task takes three parts from a queue of its caller's, to which two are put.
mailed: a thread waits until all letters are dealt with, and who dealt with them has ended.
handed: who waits in a pool of one thread waits for what lies behind it there.
rests: nothing but a server, which nobody asks.
looks: the same beside a task that waits until something is opened.
"""

import asyncio
import concurrent.futures
import queue
import sys
import threading
import time

from ready import ready

NAME, HEALTHY = sys.argv[1], sys.argv[2:] == ["healthy"]


opened = []


class Office:
    def __init__(self):
        self.letters = queue.Queue()
        threading.Thread(target=self.deal_with_letters, daemon=True).start()

    def deal_with_letters(self):
        while True:
            letter = self.letters.get()
            if letter is None and not HEALTHY:
                return
            time.sleep(3600 if HEALTHY else 0)
            self.letters.task_done()

    def close(self):
        self.letters.put(None)
        self.letters.join()


async def report():
    parts = asyncio.Queue()

    async def collect():
        return [await parts.get() for _ in range(3)]

    async def produce(number):
        if number == 2:
            if not HEALTHY:
                return
            await asyncio.sleep(3600)
        await parts.put(number)

    made = [asyncio.ensure_future(produce(number)) for number in range(3)]
    whole = asyncio.ensure_future(collect())
    await asyncio.wait(made[:2])
    return await whole


async def tick():
    while True:
        await asyncio.sleep(0.2)


async def look():
    while not opened:
        await asyncio.sleep(0.2)


async def rest():
    server = await asyncio.start_server(print, "127.0.0.1", 0)
    looking = asyncio.ensure_future(look()) if NAME == "looks" else None
    await server.serve_forever()
    return looking


def wait_for(done):
    done.wait()


async def main():
    loop = asyncio.get_event_loop()
    ticking = asyncio.ensure_future(tick())
    if NAME in ("rests", "looks"):
        asked = asyncio.ensure_future(rest())
    elif NAME == "handed":
        pool, done = concurrent.futures.ThreadPoolExecutor(1), threading.Event()
        slow = (time.sleep, 3600) if HEALTHY else (wait_for, done)
        asked = loop.run_in_executor(pool, *slow)
        loop.run_in_executor(pool, done.set)
    elif NAME == "mailed":
        asked = loop.run_in_executor(None, Office().close)
    else:
        asked = asyncio.ensure_future(report())
    await asyncio.sleep(0.5)
    ready()
    await asked
    ticking.cancel()


asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
