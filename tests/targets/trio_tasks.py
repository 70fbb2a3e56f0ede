"""trio_tasks.py LIBRARY NAME [healthy]: tasks of trio, started by trio or by anyio, that wait for
one another; or those that get on, with somebody who ends each wait in time.
"""

import os
import queue
import sys
import threading
import time

import trio
from ready import ready

LIBRARY, NAME = sys.argv[1:3]
HEALTHY = sys.argv[3:] == ["healthy"]

if LIBRARY == "anyio":
    import anyio

    Lock, Event, Limiter = anyio.Lock, anyio.Event, anyio.CapacityLimiter
    nursery, channel = anyio.create_task_group, anyio.create_memory_object_stream
    in_thread, from_thread = anyio.to_thread.run_sync, anyio.from_thread.run
    sleep = anyio.sleep
    thread_limiter = anyio.to_thread.current_default_thread_limiter
else:
    Lock, Event, Limiter = trio.Lock, trio.Event, trio.CapacityLimiter
    nursery, channel = trio.open_nursery, trio.open_memory_channel
    in_thread, from_thread = trio.to_thread.run_sync, trio.from_thread.run
    sleep = trio.sleep
    thread_limiter = trio.to_thread.current_default_thread_limiter


async def move(source, target):
    async with source:
        await sleep(0.05)
        async with target:
            await sleep(0.02 if HEALTHY else 0)


async def ring():
    left, right = Lock(), Lock()
    while True:
        async with nursery() as tasks:
            tasks.start_soon(move, left, right)
            tasks.start_soon(move, *((left, right) if HEALTHY else (right, left)))


async def fetch(limiter):
    async with limiter:
        await sleep(0.01)


async def crawl(limiter):
    async with limiter:
        await sleep(0.05)
        async with nursery() as tasks:
            tasks.start_soon(fetch, limiter)
            if not HEALTHY:
                tasks.start_soon(sleep, 600)  # its end alone would not end the wait


async def limiter():
    tokens = Limiter(3 if HEALTHY else 2)
    while True:
        async with nursery() as tasks:
            tasks.start_soon(crawl, tokens)
            tasks.start_soon(crawl, tokens)


class Session:
    pass


async def upload(tokens):
    async with tokens:
        await sleep(0.01)


async def on_behalf():
    """Nobody gives back what was taken for a session, which is a variable of whoever waits."""
    tokens, alice = Limiter(1), Session()
    await tokens.acquire_on_behalf_of(alice)
    async with nursery() as tasks:
        tasks.start_soon(upload, tokens)
        tasks.start_soon(upload, tokens)


def read_template(number):
    time.sleep(0.01)
    return "template %d" % number


async def load(number):
    return await in_thread(read_template, number)


def render(both):
    both.wait()
    return from_thread(load, 1)


async def threads():
    thread_limiter().total_tokens = 4 if HEALTHY else 2
    both = threading.Barrier(2)
    while True:
        async with nursery() as tasks:
            tasks.start_soon(in_thread, render, both)
            tasks.start_soon(in_thread, render, both)


async def save(lock):
    async with lock:
        await sleep(0)


def store(lock):
    from_thread(save, lock)


async def from_thread_run():
    """A task that waits for its children has the lock that one of them wants through a thread."""
    while True:
        lock = Lock()
        async with lock:
            async with nursery() as tasks:
                tasks.start_soon(in_thread, store, Lock() if HEALTHY else lock)


go_on = threading.Event()


def scan():
    go_on.wait()


async def cancelled():
    """The timeout of a call in a thread is over, and what the thread waits for comes behind it."""
    while True:
        if HEALTHY:
            go_on.set()
        with trio.move_on_after(0.05):
            await in_thread(scan)
        go_on.set()


async def finish(done):
    await done.wait()


def compute(done):
    from_thread(finish, done)


async def set_soon(done):
    await sleep(0.05)
    done.set()


async def child():
    while True:
        done = Event()
        async with nursery() as tasks:
            tasks.start_soon(in_thread, compute, done)
            if HEALTHY:
                tasks.start_soon(set_soon, done)
        done.set()


async def beat():
    while True:
        await sleep(0.02)


async def begin(configured, *, task_status):
    await configured.wait()
    task_status.started()


async def start():
    """Waits for a task to begin, which waits for what is set only after that; another one ticks."""
    async with nursery() as tasks:
        tasks.start_soon(beat)
        while True:
            configured = Event()
            if HEALTHY:
                tasks.start_soon(set_soon, configured)
            await tasks.start(begin, configured)
            configured.set()


def take(jobs):
    jobs.get()


async def put_soon(jobs):
    await sleep(0.05)
    jobs.put(1)


async def jobs():
    while True:
        waiting = queue.Queue()
        async with nursery() as tasks:
            tasks.start_soon(in_thread, take, waiting)
            if HEALTHY:
                tasks.start_soon(put_soon, waiting)
        waiting.put(1)


async def pump(inbox, outbox):
    while True:
        item = await inbox.receive()
        await sleep(0.01)
        await outbox.send(item)


async def channels():
    left, right = channel(1), channel(1)
    async with nursery() as tasks:
        tasks.start_soon(pump, left[1], right[0])
        tasks.start_soon(pump, right[1], left[0])
        if HEALTHY:
            await left[0].send(1)


async def produce(items, more):
    while True:
        await items.send(1)
        await items.send(2)
        await more.acquire()


async def work(items, more, closed):
    async for _ in items:
        await sleep(0.01)
        if HEALTHY:
            more.release()
        else:
            await closed.wait()


async def loop_over():
    """The consumer waits, within its loop, for what comes after that."""
    more, closed = trio.Semaphore(0), Event()
    left, right = channel(0)
    async with nursery() as tasks:
        tasks.start_soon(produce, left, more)
        tasks.start_soon(work, right, more, closed)
    closed.set()


async def offer(items):
    async with items:
        await items.send(1)


async def use(items):
    async for _ in items:
        await sleep(0.01)


async def close():
    """The end that the parent has stays open until its nursery ends, and that waits for the end."""
    while True:
        left, right = channel(0)
        async with left:
            async with nursery() as tasks:
                tasks.start_soon(offer, left.clone())
                tasks.start_soon(use, right)
                if HEALTHY:
                    left.close()


async def block():
    async with nursery() as tasks:
        tasks.start_soon(sleep, 600)
        while True:
            await sleep(0.01)
            time.sleep(0.001 if HEALTHY else 600)


async def serve(client):
    while True:
        await client.send(await client.recv(100))


async def client(port):
    with trio.socket.socket() as server:
        await server.connect(("127.0.0.1", port))
        while True:
            await server.send(b"x" * 100)
            await server.recv(100)
            await sleep(0.002)


async def clients():
    """A server and its clients, who never wait for long."""
    with trio.socket.socket() as listener:
        await listener.bind(("127.0.0.1", 0))
        listener.listen()
        async with nursery() as tasks:
            for _ in range(20):
                tasks.start_soon(client, listener.getsockname()[1])
            while True:
                accepted, _ = await listener.accept()
                tasks.start_soon(serve, accepted)


async def wait_for_all(event):
    await event.wait()


async def many():
    """Two thousand tasks that wait for an event, one that is to set it, and a timer."""
    event = Event()
    async with nursery() as tasks:
        for _ in range(2000):
            tasks.start_soon(wait_for_all, event)
        while True:
            await sleep(0.05)


async def accept(listener):
    while True:
        await listener.accept()


async def tick():
    while True:
        await sleep(600)


async def take_all(inbox):
    while True:
        await inbox.receive()


async def rest():
    """A server that nobody calls, a timer, and a worker without work."""
    with trio.socket.socket() as listener:
        await listener.bind(("127.0.0.1", 0))
        listener.listen()
        _send, receive = channel(1)
        async with nursery() as tasks:
            tasks.start_soon(accept, listener)
            tasks.start_soon(tick)
            tasks.start_soon(take_all, receive)
            await trio.sleep_forever()


async def every_wait():  # noqa: C901  that is what it is for
    """One task for each kind of wait."""
    lock, event, condition = trio.Lock(), trio.Event(), trio.Condition()
    tokens, units = trio.CapacityLimiter(1), trio.Semaphore(0)
    ends, full = trio.open_memory_channel(0), trio.open_memory_channel(0)
    here, _there = trio.socket.socketpair()
    pipe = os.pipe()

    async def keep():
        async with lock, tokens:
            await trio.sleep_forever()

    async def want_lock():
        await lock.acquire()

    async def want_token():
        await tokens.acquire()

    async def want_unit():
        await units.acquire()

    async def want_event():
        await event.wait()

    async def want_notify():
        async with condition:
            await condition.wait()

    async def want_item():
        await ends[1].receive()

    async def want_room():
        await full[0].send(1)

    async def want_data():
        await here.recv(1)

    async def want_child():
        async with trio.open_nursery() as inner:
            inner.start_soon(trio.sleep_forever)

    async def want_time():
        with trio.move_on_after(500):
            await event.wait()

    async def want_shielded():
        with trio.move_on_after(500), trio.CancelScope(shield=True):
            await event.wait()

    async def want_thread():
        await trio.to_thread.run_sync(os.read, pipe[0], 1)

    async with trio.open_nursery() as tasks:
        tasks.start_soon(keep)
        await trio.sleep(0.02)
        for function in (
            *(want_lock, want_token, want_unit, want_event, want_notify, want_item, want_room),
            *(want_data, want_child, want_time, want_shielded, want_thread),
        ):
            tasks.start_soon(function)


def settled():
    time.sleep(0.3)
    ready()


async def main():
    threading.Thread(target=settled, daemon=True).start()
    if NAME == "cancelled":
        await cancelled()  # it is the only task
    async with nursery() as tasks:
        tasks.start_soon(globals()[NAME])


if LIBRARY == "anyio":
    anyio.run(main, backend="trio")
else:
    trio.run(main)
