import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)
WORKERS = 4


def read_disk(name):
    return len(name)


async def load_entry(name):
    return await asyncio.to_thread(read_disk, name)


def render_page(name, loop):
    return asyncio.run_coroutine_threadsafe(load_entry(name), loop).result()


async def render_site(names):
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(WORKERS))
    pages = [loop.run_in_executor(None, render_page, name, loop) for name in names]
    return await asyncio.gather(*pages)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(render_site(["page-%d" % number for number in range(12)]))
