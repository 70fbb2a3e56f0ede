"""A task that looks again and again for what nobody changes, beside another one that waits.

Usage: polls_for_ever.py asyncio|trio|gevent|threads hung|slow
"""

import sys
import threading
import time
from importlib import import_module

from ready import ready

LIBRARY, STATE = sys.argv[1:3]


class Shop:
    """Opened by nobody, or later."""

    def __init__(self):
        self.is_open = False
        if STATE == "slow":
            threading.Timer(100, self.open).start()

    def open(self):
        self.is_open = True


async def customer(shop, sleep):
    while not shop.is_open:
        await sleep(0.1)


def wait(event):
    event.wait()


async def clerk(event):
    await event.wait()


def in_asyncio(asyncio, shop):
    async def main():
        await asyncio.gather(customer(shop, asyncio.sleep), clerk(asyncio.Event()))

    asyncio.run(main())


def in_trio(trio, shop):
    async def main():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(customer, shop, trio.sleep)
            nursery.start_soon(clerk, trio.Event())

    trio.run(main)


def in_gevent(gevent, shop):
    def customer():
        while not shop.is_open:
            gevent.sleep(0.1)

    event = import_module("gevent.event").Event()
    gevent.joinall([gevent.spawn(customer), gevent.spawn(wait, event)])


def in_threads(threading, shop):
    threading.Thread(target=wait, args=(threading.Event(),)).start()
    while not shop.is_open:
        time.sleep(0.1)


def main():
    library = import_module("threading" if LIBRARY == "threads" else LIBRARY)
    shop = Shop()
    at_once = threading.Timer(0.5, ready)
    at_once.start()
    globals()[f"in_{LIBRARY}"](library, shop)


main()
