"""loop_tasks.py LOOP NAME [healthy]: tasks of asyncio that hang, on a loop of asyncio, uvloop or
tornado, of anyio, of nest_asyncio, or started eagerly; or those that get on.
"""

import asyncio
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import threading
import time

from ready import ready

LOOP, NAME = sys.argv[1:3]
HEALTHY = sys.argv[3:] == ["healthy"]
Lock, Semaphore, Queue = asyncio.Lock, asyncio.Semaphore, asyncio.Queue
start = asyncio.ensure_future

if LOOP == "tornado":
    from tornado import locks, queues

    Lock, Semaphore, Queue = locks.Lock, locks.Semaphore, queues.Queue
elif LOOP == "anyio":
    import anyio

    Lock, Semaphore = anyio.Lock, lambda n: anyio.Semaphore(n, max_value=n)
elif LOOP == "eager":

    def start(coroutine):
        return asyncio.Task(coroutine, loop=asyncio.get_running_loop(), eager_start=True)


async def tick():
    while True:
        await asyncio.sleep(0.02)


async def move(source, target):
    async with source:  # takes the first
        await asyncio.sleep(0.03)
        async with target:  # wants the second
            await asyncio.sleep(0.002)


async def ring():
    left, right = Lock(), Lock()
    while True:
        back = (left, right) if HEALTHY else (right, left)
        await asyncio.gather(start(move(left, right)), start(move(*back)))


async def fetch(units):
    async with units:
        await asyncio.sleep(0.002)


async def crawl(units):
    async with units:
        await asyncio.sleep(0.03)
        await start(fetch(units))


async def limiter():
    units = Semaphore(3 if HEALTHY else 2)
    while True:
        await asyncio.gather(start(crawl(units)), start(crawl(units)))


async def try_in_time(lock):
    while True:
        with anyio.move_on_after(0.4):
            async with lock:
                pass
        await asyncio.sleep(0)


async def timed():
    """Somebody has the lock for good, and who wants it gives up every time."""
    lock = Lock()
    async with lock:
        await try_of_others(lock)


async def try_of_others(lock):
    async with anyio.create_task_group() as group:
        group.start_soon(try_in_time, lock)


async def blocked():
    while True:
        await asyncio.sleep(0.01)
        time.sleep(0.001 if HEALTHY else 600)  # knows nothing of the loop


def read_template():
    time.sleep(0.002)


async def load(workers):
    await asyncio.get_running_loop().run_in_executor(workers, read_template)


def render(loop, workers, both):
    both.wait()
    asyncio.run_coroutine_threadsafe(load(workers), loop).result()


async def executor():
    """All threads of a pool wait for tasks that need one of them."""
    loop, workers = (
        asyncio.get_running_loop(),
        concurrent.futures.ThreadPoolExecutor(3 if HEALTHY else 2),
    )
    while True:
        both = threading.Barrier(2)
        jobs = [loop.run_in_executor(workers, render, loop, workers, both) for _ in range(2)]
        await asyncio.gather(*jobs)


ledger = threading.Lock()


async def book():
    with ledger:
        await asyncio.sleep(0)


def close_books(loop):
    with ledger:
        time.sleep(0.002 if HEALTHY else 0.05)
        if not HEALTHY:
            asyncio.run_coroutine_threadsafe(tick_once(), loop).result()


async def tick_once():
    await asyncio.sleep(0.001)


async def across():
    """A thread has a lock and waits for a task, whose loop waits for the lock."""
    loop = asyncio.get_running_loop()
    while True:
        closing = loop.run_in_executor(None, close_books, loop)
        await asyncio.sleep(0.02)
        if HEALTHY:
            await closing
        with ledger:
            await asyncio.sleep(0)
        await closing


async def answer():
    await asyncio.sleep(0.001)
    return 42


async def own_result():
    """The result of a task, waited for by the thread that alone could run it."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0.03)
    while True:
        future = asyncio.run_coroutine_threadsafe(answer(), loop)
        if HEALTHY:
            await asyncio.wrap_future(future)
        else:
            future.result()


async def pump(inbox, outbox):
    while True:
        item = await inbox.get()
        await asyncio.sleep(0.005)
        await outbox.put(item)
        if not HEALTHY:
            await outbox.put(item)


async def queues():
    """Two full queues, each emptied only by who fills the other one."""
    left, right = Queue(1), Queue(1)
    pumps = start(pump(left, right)), start(pump(right, left))
    await left.put(1)
    if not HEALTHY:
        await right.put(1)
    await asyncio.gather(*pumps)


async def consume(started):
    await started.wait()


async def after():
    """A task waits for what comes after the wait for its end."""
    while True:
        started = asyncio.Event()
        if HEALTHY:
            asyncio.get_running_loop().call_later(0.02, started.set)
        await asyncio.gather(start(consume(started)))
        started.set()


async def serve(reader, writer):
    while True:
        data = await reader.read(100)
        if not data:
            break
        writer.write(data)
        await writer.drain()
    writer.close()


async def client(port):
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(10):
            writer.write(b"x" * 100)
            await reader.read(100)
            await asyncio.sleep(0.001)
        writer.close()


async def clients():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    lock, gate, jobs = Lock(), Semaphore(2), Queue(2)

    async def put():
        while True:
            async with lock, gate:
                await asyncio.sleep(0.001)
            await jobs.put(1)

    async def take():
        while True:
            await jobs.get()

    work = [start(one) for one in (*(client(port) for _ in range(5)), put(), put(), take())]
    await asyncio.gather(*work)


async def orphan():
    """The lock of a task that has ended: its generator is inside of it for ever."""
    lock = Lock()

    async def hold():
        async with lock:
            yield

    async def borrow(lender):
        await lender.__anext__()
        if HEALTHY:
            await lender.aclose()

    lender = hold()
    while True:
        await asyncio.ensure_future(borrow(lender))
        async with lock:
            lender = hold()


def settled():
    time.sleep(0.5)
    ready()


async def main():
    threading.Thread(target=settled, daemon=True).start()
    ticking = asyncio.ensure_future(tick()) if NAME != "quiet" else None
    await globals()[NAME]()
    del ticking


def nested():
    """As a cell of a notebook runs it: within a callback of the loop that runs already."""
    import nest_asyncio

    nest_asyncio.apply()

    async def cell():
        asyncio.get_event_loop().run_until_complete(main())

    asyncio.run(cell())


def jupyter():
    """In a kernel, whose client is a child."""
    from ipykernel.kernelapp import IPKernelApp

    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "kernel.json")
    app = IPKernelApp.instance(connection_file=path)
    app.initialize([])
    subprocess.Popen([sys.executable, __file__, "client", NAME, path])
    app.start()


def client_of_kernel():
    """Sends one cell to the kernel; or many, one after the other."""
    from jupyter_client import BlockingKernelClient

    kernel = BlockingKernelClient(connection_file=sys.argv[3])
    kernel.load_connection_file()
    kernel.start_channels()
    kernel.wait_for_ready(60)
    if NAME == "cells":
        threading.Thread(target=settled).start()
        while True:
            kernel.execute_interactive("sum(range(10000))", output_hook=lambda _: None)
            time.sleep(0.003)
    here = os.path.dirname(os.path.abspath(__file__))
    kernel.execute("import sys; sys.path.insert(0, %r); import loop_tasks" % here)
    kernel.execute("await loop_tasks.main()")
    time.sleep(1000)


def run():
    if LOOP == "uvloop":
        import uvloop

        uvloop.install()
        asyncio.run(main())
    elif LOOP == "tornado":
        from tornado.ioloop import IOLoop

        IOLoop.current().run_sync(main)
    elif LOOP == "anyio":
        anyio.run(main, backend="asyncio")
    elif LOOP == "nested":
        nested()
    elif LOOP == "jupyter":
        jupyter()
    elif LOOP == "client":
        client_of_kernel()
    else:
        asyncio.run(main())


if __name__ == "__main__":
    run()
