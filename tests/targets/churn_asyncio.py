"""Healthy programs whose tasks, event loops and streams live for milliseconds.

The first argument names the program.
"""

import asyncio
import random
import threading

from churning import churn, main, pause, start, until_alone, work


async def rest(longest=0.004):
    await asyncio.sleep(random.random() * longest)


def looping(*plays, tasks=5):
    """Run the coroutine functions in tasks that live for one to three rounds, for ever."""

    async def live(play, number):
        for _ in range(random.randrange(1, 4)):
            await play(number)
            await rest()

    async def keep(play, number):
        while True:
            await asyncio.get_running_loop().create_task(live(play, number))

    async def all_of_them():
        await asyncio.gather(*(keep(plays[n % len(plays)], n) for n in range(tasks)))

    start(until_alone)
    asyncio.run(all_of_them())


def locks():
    """A lock, a semaphore, an event and a condition, taken by tasks that come and go."""

    class Shared:
        """Made within the loop: before 3.10 they belong to the loop of their making."""

        def __init__(self):
            self.lock, self.slots = asyncio.Lock(), asyncio.Semaphore(2)
            self.changed = asyncio.Condition()

    made = []

    def shared():
        if not made:
            made.append(Shared())
        return made[0]

    async def take(number):
        async with shared().slots:
            async with shared().lock:
                await rest()

    async def notify(number):
        async with shared().changed:
            shared().changed.notify_all()

    async def expect(number):
        async with shared().changed:
            await shared().changed.wait()

    looping(take, notify, expect, take, notify)


def queues():
    """A queue per life, filled by a task that ends."""

    async def exchange(number):
        queue = asyncio.Queue(1)

        async def fill():
            for item in range(3):
                await queue.put(item)

        filler = asyncio.ensure_future(fill())
        for _ in range(3):
            await queue.get()
            queue.task_done()
        await queue.join()
        await filler

    looping(exchange)


def tasks():
    """Tasks that wait for tasks; some are cancelled, some run out of time."""

    async def gather(number):
        await asyncio.gather(*(rest() for _ in range(3)))

    async def cancel(number):
        task = asyncio.ensure_future(asyncio.sleep(30))
        await rest()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            pass

    async def hurry(number):
        try:
            await asyncio.wait_for(asyncio.sleep(30), 0.002)
        except asyncio.TimeoutError:
            pass

    async def shield(number):
        await asyncio.shield(rest())
        await asyncio.wait([asyncio.ensure_future(rest()) for _ in range(2)])

    looping(gather, cancel, hurry, shield)


def streams():
    """A server and clients over streams."""

    async def serve(reader, writer):
        await reader.readline()
        await rest()
        writer.write(b"answer\n")
        await writer.drain()
        writer.close()

    ready_at = []

    async def address():
        if not ready_at:
            ready_at.append(asyncio.ensure_future(asyncio.start_server(serve, "127.0.0.1", 0)))
        return (await ready_at[0]).sockets[0].getsockname()

    async def ask(number):
        reader, writer = await asyncio.open_connection(*await address())
        writer.write(b"question\n")
        assert await reader.read() == b"answer\n"
        writer.close()

    looping(ask, tasks=3)


def executors():
    """Tasks that wait for threads, and threads that wait for tasks."""

    async def call(number):
        await asyncio.get_running_loop().run_in_executor(None, pause)

    async def be_asked(number):
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def ask():
            asyncio.run_coroutine_threadsafe(rest(), loop).result()
            loop.call_soon_threadsafe(done.set_result, None)

        start(ask)
        await done

    looping(call, be_asked)


def subprocesses():
    """Children whose output the loop reads."""

    async def call(number):
        child = await asyncio.create_subprocess_exec(
            "wc", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        await child.communicate(b"words\n" * 5000)

    looping(call, tasks=2)


def short_loops():
    """Threads that run an event loop of their own and end with it."""

    async def live():
        lock = asyncio.Lock()

        async def take():
            async with lock:
                await rest()

        await asyncio.gather(*(take() for _ in range(3)))

    churn(lambda number: asyncio.run(live()), threads=3)


def blocked_for_moments():
    """A loop that computes and waits for a thread's lock, for milliseconds each time."""
    lock = threading.Lock()

    def hold():
        while True:
            with lock:
                pause(0.002)
            pause()

    async def take(number):
        with lock:
            work()

    start(hold)
    looping(take, tasks=2)


if __name__ == "__main__":
    main(globals())
