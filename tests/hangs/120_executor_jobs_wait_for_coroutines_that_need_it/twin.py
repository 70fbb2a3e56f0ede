import asyncio
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)
WORKERS = 4


def read_disk(name):
    time.sleep(0.02)
    return len(name)


async def load_entry(name, disk):
    return await asyncio.get_running_loop().run_in_executor(disk, read_disk, name)


def render_page(name, loop, disk):
    return asyncio.run_coroutine_threadsafe(load_entry(name, disk), loop).result()


async def render_site(names):
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(WORKERS))
    disk = ThreadPoolExecutor(2)
    while True:
        pages = [loop.run_in_executor(None, render_page, name, loop, disk) for name in names]
        await asyncio.gather(*pages)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(render_site(["page-%d" % number for number in range(12)]))
