"""Servers whose requests wait for what an earlier one has taken: ``requests_left.py NAME``.

A twin is the same program, healthy or slow.
"""

import asyncio
import concurrent.futures
import sqlite3
import sys
import tempfile
import threading
import time

from ready import ready


class Stock:
    def __init__(self):
        self.lock = threading.Lock()
        self.permits = threading.BoundedSemaphore(1)

    def reserve(self, item):
        self.lock.acquire()
        if item < 0:
            raise KeyError(item)
        time.sleep(0.01)
        self.lock.release()

    def reserve_slowly(self, item):
        with self.lock:
            time.sleep(item)

    def limit(self, item):
        self.permits.acquire()
        if item < 0:
            return None
        self.permits.release()
        return item


def serve(handle, *items):
    """Two workers take what comes; the main thread goes on, as a server does."""
    with concurrent.futures.ThreadPoolExecutor(2, thread_name_prefix="worker") as pool:
        for item in items:
            pool.submit(handle, item)
            time.sleep(0.2)
        ready()
        while True:
            sum(range(1000))
            time.sleep(0.1)


def lock_of_a_request_that_failed():
    serve(Stock().reserve, -1, 1)


def lock_of_a_slow_request():
    serve(Stock().reserve_slowly, 3600, 1)


def lock_that_is_passed_on():
    stock = Stock()
    with concurrent.futures.ThreadPoolExecutor(2, thread_name_prefix="worker") as pool:
        ready()
        while True:
            list(pool.map(stock.reserve, [1] * 20))


def permit_kept_by_a_request():
    """The loop of a server stops in a call that its own request made, and that waits for itself."""
    stock = Stock()

    async def main():
        stock.limit(-1)
        ready()
        await asyncio.create_task(page(stock))

    asyncio.run(main())


async def page(stock):
    return stock.limit(1)


KEPT = []
FOLDER = tempfile.mkdtemp()


def write_order(item):
    orders = sqlite3.connect(
        FOLDER + "/left.db", timeout=3600, isolation_level=None,
        check_same_thread=False,
    )  # fmt: skip
    if item < 0:
        orders.execute("create table placed (item)")
        KEPT.append(orders)
    orders.execute("begin immediate")
    if item > 0:
        orders.execute("commit")


def transaction_kept_by_a_request():
    serve(write_order, -1, 1, 2)


async def news_of_a_nested_function():
    """Only a function that nobody runs, and that no module has by name, would end the wait."""
    news = asyncio.Event()

    async def publish():
        news.set()

    async def read():
        await news.wait()

    assert publish not in (read,)
    reader = asyncio.ensure_future(read())
    ready()
    await reader


def event_of_a_nested_function():
    asyncio.run(news_of_a_nested_function())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
