import asyncio
import contextlib
import os


class WeightsLock:
    def __init__(self):
        self.changed = asyncio.Condition()
        self.readers = 0
        self.writing = False

    async def acquire_writer(self):
        async with self.changed:
            while self.writing or self.readers:
                await self.changed.wait()
            self.writing = True

    async def release_writer(self):
        async with self.changed:
            self.writing = False
            self.changed.notify_all()

    @contextlib.asynccontextmanager
    async def reading(self):
        async with self.changed:
            while self.writing:
                await self.changed.wait()
            self.readers += 1
        try:
            yield
        finally:
            async with self.changed:
                self.readers -= 1
                self.changed.notify_all()


class Engine:
    def __init__(self):
        self.lock = WeightsLock()
        self.paused = False
        self.resumed = asyncio.Condition()
        self.version = 0

    async def generate(self, prompt):
        tokens = []
        async with self.lock.reading():
            for place in range(40):
                async with self.resumed:
                    await self.resumed.wait_for(lambda: not self.paused)
                tokens.append((self.version, len(prompt) + place))
                await asyncio.sleep(0.01)
        return tokens

    async def pause(self):
        self.paused = True

    async def resume(self):
        async with self.resumed:
            self.paused = False
            self.resumed.notify_all()

    async def update_weights(self, version):
        if self.paused and not LOCKED_ALWAYS:
            self.version = version
            return
        await self.lock.acquire_writer()
        self.version = version
        await self.lock.release_writer()


async def answer_all(engine, name):
    while True:
        await engine.generate(name)


async def refresh(engine):
    version = 1
    while True:
        await asyncio.sleep(1)
        await engine.pause()
        await engine.update_weights(version)
        await engine.resume()
        version += 1


async def serve():
    engine = Engine()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(answer_all(engine, "math"), name="math")
        tasks.create_task(answer_all(engine, "code"), name="code")
        tasks.create_task(refresh(engine), name="refresh")


LOCKED_ALWAYS = False


if __name__ == "__main__":
    asyncio.run(serve())
