import asyncio
import contextlib
import os
import signal
import threading

import anyio.from_thread
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


async def sell(article, asked, paid):
    async with contextmanager_in_threadpool(locked_stock()) as articles:
        asked.set()
        await paid.wait()
        articles[article] -= 1


def print_label(printing, paper):
    anyio.from_thread.run_sync(printing.set)
    paper.wait()


async def serve_shop():
    asked, paid, printing = asyncio.Event(), asyncio.Event(), asyncio.Event()
    paper = threading.Event()
    first = asyncio.create_task(sell("tea", asked, paid), name="sell-tea")
    await asked.wait()
    label = asyncio.create_task(anyio.to_thread.run_sync(print_label, printing, paper))
    await printing.wait()
    paid.set()
    await first
    second = asyncio.create_task(sell("rice", asked, paid), name="sell-rice")
    await asyncio.sleep(0.5)
    paper.set()
    await asyncio.gather(label, second)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(serve_shop())
