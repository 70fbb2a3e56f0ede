"""A loop that sleeps until something has changed, in the sleep of the library that is named.

Usage: library_polls.py LIBRARY
LIBRARY: trio, anyio-trio, anyio-asyncio, asyncio, gevent, eventlet, twisted, tornado; or
twisted-deferred, which awaits a Deferred in that loop instead.
"""

import sys
import threading
from importlib import import_module

from ready import ready

LIBRARY = sys.argv[1]


class Shop:
    """Opened by nobody."""

    def __init__(self):
        self.is_open = False
        threading.Timer(0.5, ready).start()


async def customer(shop, sleep):
    while not shop.is_open:
        await sleep(0.2)


async def patient(shop, sleep):
    async def pause():
        await sleep(0.2)

    while True:
        if shop.is_open:
            break
        await pause()


def in_greenlet(shop, sleep):
    while not shop.is_open:
        sleep(0.2)


def by_reactor(shop, awaited):
    defer, task, reactor = (
        import_module(f"twisted.internet.{name}") for name in ("defer", "task", "reactor")
    )

    async def customer():
        while not shop.is_open:
            await task.deferLater(reactor, 0.2)

    async def patient(delivery):
        while not shop.is_open:
            await delivery

    defer.ensureDeferred(patient(defer.Deferred()) if awaited else customer())
    reactor.run()


def main():
    library, _, backend = LIBRARY.partition("-")
    import_module("twisted.internet.reactor" if library == "twisted" else library)
    shop = Shop()
    if library in ("gevent", "eventlet"):
        import_module(library).spawn(in_greenlet, shop, import_module(library).sleep)
        import_module(library).sleep(3600)
    elif library == "twisted":
        by_reactor(shop, backend)
    elif library == "trio":
        trio = import_module("trio")
        trio.run(customer, shop, trio.sleep)
    elif library == "anyio":
        anyio = import_module("anyio")
        anyio.run(patient, shop, anyio.sleep, backend=backend)
    else:
        sleep = import_module("tornado.gen" if library == "tornado" else "asyncio").sleep
        import_module("asyncio").run(customer(shop, sleep))


main()
