import asyncio
import os


class Sampler:
    def __init__(self):
        self.lock = asyncio.Lock()
        self.active = set()
        self.version = 0
        self.stale = 0
        self.fresh = asyncio.Event()
        self.fresh.set()

    async def roll_out(self, prompt):
        for token in range(4):
            await self.fresh.wait()
            await asyncio.sleep(0.005 + prompt % 3 / 1000)

    async def feed(self):
        prompt = 0
        while True:
            async with self.lock:
                self.stale += 1
                self.active.add(
                    asyncio.create_task(self.roll_out(prompt), name="rollout-%d" % prompt)
                )
                if HELD and len(self.active) >= 4:
                    await self.make_room()
            if len(self.active) >= 4:
                await self.make_room()
            prompt += 1
            await asyncio.sleep(0)

    async def make_room(self):
        _done, self.active = await asyncio.wait(self.active, return_when=asyncio.FIRST_COMPLETED)

    async def load_weights(self, version):
        self.fresh.clear()
        await asyncio.sleep(0.02)
        async with self.lock:
            self.version = version
            self.stale = 0
        self.fresh.set()


async def train(sampler):
    version = 0
    while True:
        await asyncio.sleep(0.3)
        version += 1
        await sampler.load_weights(version)


async def main():
    sampler = Sampler()
    feeder = asyncio.create_task(sampler.feed(), name="feeder")
    trainer = asyncio.create_task(train(sampler), name="trainer")
    await asyncio.gather(feeder, trainer)


HELD = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
