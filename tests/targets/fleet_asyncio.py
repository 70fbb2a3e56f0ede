"""Healthy programs of event loops and threads: nothing is wrong in any of them.

The first argument names the program.
"""

import asyncio
import sys
import threading
import time

from ready import ready


def work(size=300):
    return sum(i * i for i in range(size))


async def locks():
    """Tasks that contend for a lock, a semaphore and a bounded queue, in one order."""
    lock, slots, queue = asyncio.Lock(), asyncio.Semaphore(2), asyncio.Queue(3)

    async def produce():
        while True:
            async with slots:
                async with lock:
                    await asyncio.sleep(0)
                    work()
            await queue.put(1)

    async def consume():
        while True:
            await queue.get()
            await asyncio.sleep(0.001)

    asyncio.get_event_loop().call_later(0.1, ready)
    await asyncio.gather(consume(), consume(), *[produce() for _ in range(5)])


async def threads():
    """Threads that wait for tasks of the loop, and tasks that wait for threads."""
    loop = asyncio.get_event_loop()

    async def answer(number):
        await asyncio.sleep(0.0005)
        return number + await loop.run_in_executor(None, work)

    def ask(number):
        while True:
            asyncio.run_coroutine_threadsafe(answer(number), loop).result()

    for number in range(4):
        name = "asker-%d" % number
        threading.Thread(target=ask, args=(number,), name=name, daemon=True).start()
    loop.call_later(0.1, ready)
    while True:
        await loop.run_in_executor(None, time.sleep, 0.001)
        await asyncio.gather(*[answer(number) for number in range(5)])


async def subprocesses():
    """Child processes whose output is read by the loop."""
    ready()
    while True:
        child = await asyncio.create_subprocess_exec(
            "wc", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        await child.communicate(b"words\n" * 5000)


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(globals()[sys.argv[1]]())
