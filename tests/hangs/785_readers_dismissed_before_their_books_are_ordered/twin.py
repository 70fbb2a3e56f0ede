import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor

from library import Library

signal.alarm(120)


async def read_all(titles):
    library = Library()
    with ThreadPoolExecutor(2, thread_name_prefix="reader") as readers:
        loop = asyncio.get_running_loop()
        await asyncio.gather(
            *(loop.run_in_executor(readers, library.read, title) for title in titles)
        )
    return library.orders


async def read_for_ever(titles):
    while True:
        await read_all(titles)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(read_for_ever(["atlas", "bible"]))
