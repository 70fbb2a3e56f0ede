import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor

from library import Library

signal.alarm(120)


async def read_all(titles):
    library = Library()
    with ThreadPoolExecutor(2, thread_name_prefix="reader") as readers:
        for title in titles:
            readers.submit(library.read, title)
    return library.orders


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(asyncio.run(read_all(["atlas", "bible"])))
