"""left_behind.py NAME: tasks wait for what others took, in a loop that serves."""

import asyncio
import functools
import sys

from ready import ready


class Log:
    def __init__(self):
        self.lock = asyncio.Lock()
        self.lines = []

    async def rotate(self):
        await self.lock.acquire()
        self.lines[0].close()  # raises here
        self.lock.release()

    async def flush(self):
        while True:
            async with self.lock:
                pass
            await asyncio.sleep(0.01)


async def lock_of_one_that_failed():
    log = Log()
    return [asyncio.ensure_future(log.rotate()), asyncio.ensure_future(log.flush())]


async def semaphore_kept():
    seats = asyncio.Semaphore(1)

    async def book(number):
        await seats.acquire()
        if number:
            seats.release()

    return [asyncio.ensure_future(book(number)) for number in (0, 1)]


async def semaphore_whose_waiter_has_it_all():
    blocks = asyncio.Semaphore(3)

    async def admit(wanted):
        for _ in range(wanted):
            await blocks.acquire()
        await asyncio.sleep(0)
        for _ in range(wanted):
            blocks.release()

    return [asyncio.ensure_future(admit(4))]


async def semaphore_kept_while_the_loop_ticks():
    loop = asyncio.get_running_loop()

    def tick():
        loop.call_later(0.05, tick)

    tick()
    return await semaphore_kept()


async def queue_whose_consumer_failed():
    queue = asyncio.Queue(1)

    async def produce():
        while True:
            await queue.put(0)

    async def consume():
        while True:
            print(1 // await queue.get())  # raises here

    return [asyncio.ensure_future(produce()), asyncio.ensure_future(consume())]


async def condition_whose_notifier_failed():
    room = asyncio.Condition()

    async def fill():
        async with room:
            await room.wait()

    async def drain():
        await asyncio.sleep(0.05)
        async with room:
            if sys.argv:
                raise OSError("disk full")  # raises here
            room.notify()

    return [asyncio.ensure_future(fill()), asyncio.ensure_future(drain())]


class Client:
    def __init__(self):
        self.waiting = {}

    async def receive_all(self):
        for number in (1, 2):
            await asyncio.sleep(0.05)
            future = self.waiting.pop(number)
            future.set_result(number)  # raises here

    async def ask(self, number):
        future = self.waiting[number] = asyncio.get_running_loop().create_future()
        return await future


async def answers_whose_reader_failed():
    client = Client()
    first, second = [asyncio.ensure_future(client.ask(number)) for number in (1, 2)]
    await asyncio.sleep(0)
    first.cancel()
    return [second, asyncio.ensure_future(client.receive_all())]


async def meet_at(barrier, height):
    await barrier.wait()


async def barrier_of_a_party_that_failed():
    """The call that it did not come to hands the barrier on."""
    barrier, heights = asyncio.Barrier(2), [3]

    async def compute(number):
        await meet_at(barrier, heights[number])  # raises here

    return [asyncio.ensure_future(compute(number)) for number in (0, 1)]


class Gate:
    """Lends what callbacks give back: no stack shows who has it."""

    def __init__(self):
        self.permits = asyncio.BoundedSemaphore(1)

    def leave(self, *_):
        self.permits.release()

    async def crowd(self, begin):
        async def enter():
            while True:
                await self.permits.acquire()
                begin()

        async def look():
            while True:
                async with self.permits:
                    pass

        return [asyncio.ensure_future(one()) for one in (enter, enter, look)]


GATE = Gate()


def give_back(_):
    GATE.permits.release()


def in_time(*call):
    asyncio.get_running_loop().call_later(0.2, *call)


def work(callback):
    asyncio.ensure_future(asyncio.sleep(0.2)).add_done_callback(callback)


async def task_that_calls_back():
    return await GATE.crowd(lambda: work(lambda _: GATE.permits.release()))


async def task_that_calls_a_method():
    return await GATE.crowd(lambda: work(GATE.leave))


async def task_that_calls_a_function():
    return await GATE.crowd(lambda: work(give_back))


async def timer():
    return await GATE.crowd(lambda: in_time(GATE.permits.release))


async def timer_with_arguments():
    return await GATE.crowd(lambda: in_time(asyncio.Semaphore.release, GATE.permits))


async def partial():
    return await GATE.crowd(lambda: work(functools.partial(Gate.leave, GATE)))


async def in_turn():
    log = Log()

    async def rotate():
        while True:
            await log.lock.acquire()
            await asyncio.sleep(0.2)
            log.lock.release()
            await asyncio.sleep(0)

    return [asyncio.ensure_future(one()) for one in (rotate, log.flush, rotate)]


async def main():
    tasks = await globals()[sys.argv[1]]()
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    asyncio.get_running_loop().call_later(0.5, ready)
    await asyncio.Event().wait()
    print(tasks, server)


asyncio.run(main())
