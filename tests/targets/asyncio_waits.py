"""One task for each thing that a task can wait for; each bears the name of what it awaits."""

import asyncio
import contextlib
import sys
import threading

from ready import ready


async def get(queue):
    await queue.get()


async def put(queue):
    await queue.put(1)
    await queue.put(2)


async def join(queue):
    await queue.join()


async def see(event):
    await event.wait()


async def notice(condition):
    async with condition:
        await condition.wait()


async def meet(barrier):
    await barrier.wait()


async def take(lock):
    async with lock:
        await asyncio.sleep(1000)


async def await_task(task):
    await task


async def shielded(task):
    await asyncio.shield(task)


async def gathered(*tasks):
    await asyncio.gather(*tasks)


async def waited(*tasks):
    await asyncio.wait(tasks)


async def bounded(task):
    await asyncio.wait_for(task, 1000)


async def grouped(task):
    if sys.version_info < (3, 11):
        return await task
    async with asyncio.TaskGroup() as group:
        group.create_task(await_task(task))


async def bare(future):
    await future


class Line:
    """As code in C has it: who listens gets a future."""

    def __init__(self, coming):
        self.coming = coming

    def receive(self):
        return self.coming


async def hear(line):
    return await line.receive()


async def in_thread(release):
    await asyncio.get_event_loop().run_in_executor(None, release.wait)


async def read(reader):
    await reader.read(1)


@contextlib.asynccontextmanager
async def borrowed(lock):
    async with lock:
        yield lock


async def borrow(lock):
    async with borrowed(lock):
        await asyncio.sleep(1000)


async def spell(lock):
    await lock.acquire()
    try:
        await asyncio.sleep(1000)
    finally:
        lock.release()


async def main():
    loop = asyncio.get_event_loop()
    kept = []

    def start(coroutine):
        task = loop.create_task(coroutine)
        if sys.version_info >= (3, 8):
            task.set_name("the " + coroutine.__name__)
        kept.append(task)
        return task

    till, lent, spelled, units = (
        asyncio.Lock(),
        asyncio.Lock(),
        asyncio.Lock(),
        asyncio.BoundedSemaphore(1),
    )
    empty, full, done = asyncio.Queue(), asyncio.Queue(1), asyncio.Queue()
    done.put_nowait(1)
    event, condition = asyncio.Event(), asyncio.Condition()
    holder = start(take(till))
    start(borrow(lent))
    start(spell(spelled))
    start(take(units))
    await asyncio.sleep(0)
    server = await asyncio.start_server(lambda reader, writer: kept.append(writer), "127.0.0.1", 0)
    address = server.sockets[0].getsockname()
    reader, writer = await asyncio.open_connection(*address)
    kept.append(writer)
    for one in (till, lent, spelled, units):
        start(take(one))
    for coroutine in (get(empty), put(full), join(done), see(event), notice(condition)):
        start(coroutine)
    for function in (await_task, shielded, gathered, waited, bounded, grouped):
        start(function(holder))
    if sys.version_info >= (3, 11):
        table = asyncio.Barrier(3)
        start(meet(table))
    start(bare(loop.create_future()))
    start(hear(Line(loop.create_future())))
    start(in_thread(threading.Event()))
    start(read(reader))
    await asyncio.sleep(0.1)
    ready()
    await asyncio.sleep(1000)


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())
