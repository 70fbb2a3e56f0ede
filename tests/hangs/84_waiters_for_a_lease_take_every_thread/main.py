import asyncio
import os
import signal
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import aiofiles

signal.alarm(120)
lease = threading.Lock()
catalog_path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "catalog.txt")


def take_lease():
    lease.acquire()


async def read_shelf(number):
    await asyncio.to_thread(take_lease)
    try:
        return number
    finally:
        lease.release()


async def write_catalog(text):
    await asyncio.to_thread(take_lease)
    try:
        await asyncio.sleep(1)
        async with aiofiles.open(catalog_path, "w") as file:
            await file.write(text)
    finally:
        lease.release()


async def serve():
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(2, thread_name_prefix="catalog"))
    writing = asyncio.create_task(write_catalog("tea, rice"), name="write-catalog")
    await asyncio.sleep(0.1)
    await asyncio.gather(writing, read_shelf(1), read_shelf(2))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(serve())
