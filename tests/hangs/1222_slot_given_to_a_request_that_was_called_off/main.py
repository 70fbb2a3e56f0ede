import asyncio
import collections
import os


class Slots:
    def __init__(self, count):
        self.free = count
        self.waiters = collections.deque()

    async def acquire(self):
        if self.free:
            self.free -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self.waiters.append(waiter)
        await waiter

    def release(self):
        while self.waiters:
            waiter = self.waiters.popleft()
            if waiter.cancelled() and not COUNT_ALL:
                continue
            if not waiter.done():
                waiter.set_result(None)
            return
        self.free += 1


class Engine:
    def __init__(self):
        self.slots = Slots(2)

    async def generate(self, tokens):
        await self.slots.acquire()
        try:
            await asyncio.sleep(tokens / 1000)
        finally:
            self.slots.release()


async def converse(engine, number):
    while True:
        await engine.generate(20 + number)


async def complete_as_typed(engine):
    while True:
        try:
            await asyncio.wait_for(engine.generate(5), 0.004)
        except TimeoutError:
            await asyncio.sleep(0.03)


async def main():
    engine = Engine()
    talks = [
        asyncio.create_task(converse(engine, number), name="talk-%d" % number)
        for number in range(3)
    ]
    asyncio.create_task(complete_as_typed(engine), name="typist")
    await asyncio.gather(*talks)


COUNT_ALL = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
