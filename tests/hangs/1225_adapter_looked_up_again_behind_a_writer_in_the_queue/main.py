import asyncio
import collections
import contextlib
import os


class WeightsLock:
    def __init__(self):
        self.readers = 0
        self.writing = False
        self.queue = collections.deque()

    async def enter_line(self, writer):
        turn = asyncio.get_running_loop().create_future()
        self.queue.append((writer, turn))
        self.let_in()
        await turn

    def let_in(self):
        while self.queue and not self.writing:
            writer, turn = self.queue[0]
            if writer and self.readers:
                return
            self.queue.popleft()
            if writer:
                self.writing = True
            else:
                self.readers += 1
            turn.set_result(None)

    @contextlib.asynccontextmanager
    async def reading(self):
        await self.enter_line(False)
        try:
            yield
        finally:
            self.readers -= 1
            self.let_in()

    @contextlib.asynccontextmanager
    async def updating(self):
        await self.enter_line(True)
        try:
            yield
        finally:
            self.writing = False
            self.let_in()


class Engine:
    def __init__(self):
        self.weights = WeightsLock()
        self.adapters = {"law": 1, "news": 2}

    async def generate(self, name):
        async with self.weights.reading():
            await asyncio.sleep(0.004)
            if NESTED:
                return await self.look_up(name)
        return await self.look_up(name)

    async def look_up(self, name):
        async with self.weights.reading():
            await asyncio.sleep(0.001)
            return self.adapters[name]

    async def update_weights(self, version):
        async with self.weights.updating():
            await asyncio.sleep(0.002)
            self.adapters["law"] = version


async def answer(engine, name):
    while True:
        await engine.generate(name)


async def follow_training(engine):
    version = 0
    while True:
        await asyncio.sleep(0.1)
        await engine.update_weights(version)
        version += 1


async def main():
    engine = Engine()
    desks = [asyncio.create_task(answer(engine, name), name=name) for name in engine.adapters]
    updates = asyncio.create_task(follow_training(engine), name="updates")
    await asyncio.gather(updates, *desks)


NESTED = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
