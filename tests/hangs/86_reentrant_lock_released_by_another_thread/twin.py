import asyncio
import contextlib
import os
import signal
import threading
import time

import anyio.to_thread
from fastapi.concurrency import contextmanager_in_threadpool

signal.alarm(120)
stock_lock = threading.Lock()
stock = {"tea": 7, "rice": 9}


@contextlib.contextmanager
def locked_stock():
    stock_lock.acquire()
    try:
        yield stock
    finally:
        stock_lock.release()


async def sell(article):
    async with contextmanager_in_threadpool(locked_stock()) as articles:
        await asyncio.sleep(0.2)
        articles[article] -= 1


async def print_label(article):
    await anyio.to_thread.run_sync(time.sleep, 0.6)


async def serve_shop():
    first = asyncio.create_task(sell("tea"), name="sell-tea")
    await asyncio.sleep(0.1)
    label = asyncio.create_task(print_label("tea"), name="print-label")
    await asyncio.sleep(0.2)
    second = asyncio.create_task(sell("rice"), name="sell-rice")
    await asyncio.gather(first, label, second)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(serve_shop())
