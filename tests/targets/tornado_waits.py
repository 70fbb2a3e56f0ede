"""tornado_waits.py NAME: waits of tasks for what is tornado's own."""

import asyncio
import socket
import sys

from ready import ready
from tornado import concurrent, gen, ioloop, locks, netutil, queues, tcpserver


async def work(jobs):
    while True:
        job = await jobs.get()
        if job != "bad":
            jobs.task_done()


async def join():
    """One item is never reported."""
    jobs = queues.Queue(maxsize=5)
    for _ in range(2):
        ioloop.IOLoop.current().spawn_callback(work, jobs)
    for job in ("good", "bad", "good"):
        await jobs.put(job)
    asyncio.get_running_loop().call_later(0.1, ready)
    await jobs.join()


async def show(news):
    await news.wait()


async def multi():
    """Nobody notifies, and a callback keeps the loop awake."""
    news = locks.Condition()
    ioloop.PeriodicCallback(lambda: None, 1500).start()
    asyncio.get_running_loop().call_later(0.1, ready)
    await gen.multi([show(news), gen.sleep(0.05)])


async def iterate():
    """One of two ends, and nobody sets what the other one waits for."""
    news = locks.Event()
    ioloop.PeriodicCallback(lambda: None, 1500).start()
    asyncio.get_running_loop().call_later(0.3, ready)
    async for _ in gen.WaitIterator(spawned(show(news)), spawned(gen.sleep(0.05))):
        pass


def spawned(awaitable):
    return asyncio.ensure_future(awaitable)


async def book(ledger):
    async with ledger:
        pass


async def iterate_by_turns():
    """Healthy: of those that it waits for one wants the lock that it has, the other one ends."""
    ledger = asyncio.Lock()
    asyncio.get_running_loop().call_later(0.1, ready)
    while True:
        async with ledger:
            books = spawned(book(ledger))
            each = gen.WaitIterator(books, spawned(asyncio.sleep(0.02)))
            await each.next()
        await books


async def serve():
    """A server to which nobody connects."""
    tcpserver.TCPServer().listen(0, "127.0.0.1")
    ioloop.PeriodicCallback(lambda: None, 500).start()
    asyncio.get_running_loop().call_later(0.1, ready)
    await locks.Event().wait()


async def serve_kept():
    """The same, with an event that is kept for somebody."""
    kept = locks.Event()
    tcpserver.TCPServer().listen(0, "127.0.0.1")
    asyncio.get_running_loop().call_later(0.1, ready)
    await kept.wait()


async def serve_one():
    """The same, and somebody has connected: something of theirs may be left to do."""
    (listener,) = netutil.bind_sockets(0, "127.0.0.1")
    server = tcpserver.TCPServer()
    server.handle_stream = lambda stream, address: held.append(stream.read_until(b"!"))
    server.add_sockets([listener])
    held = [socket.create_connection(listener.getsockname())]
    asyncio.get_running_loop().call_later(0.3, ready)
    await locks.Event().wait()


def bare():
    """A future that nobody gives a result, and no task."""
    ioloop.IOLoop.current().call_later(0.1, ready)
    return concurrent.Future()


ioloop.IOLoop.current().run_sync(globals()[sys.argv[1]])  # runs it
