import asyncio
import os

import ray


@ray.remote(num_cpus=0)
class Sampler:
    """Makes samples with the newest weights."""

    def __init__(self, buffer, ahead):
        self.buffer = buffer
        self.ahead = ahead
        self.version = 0
        self.made = 0
        self.fresh = asyncio.Condition()

    def allowed(self):
        return self.made < (self.version + 1) * self.ahead

    async def generate(self):
        async with self.fresh:
            await self.fresh.wait_for(self.allowed)
        await asyncio.sleep(0.002)
        self.made += 1
        return self.made

    async def roll_out(self):
        while True:
            await self.buffer.put.remote(await self.generate())

    async def load_weights(self, version):
        async with self.fresh:
            self.version = version
            self.fresh.notify_all()


@ray.remote(num_cpus=0)
class Buffer:
    def __init__(self):
        self.samples = []
        self.came = asyncio.Condition()

    async def put(self, sample):
        async with self.came:
            self.samples.append(sample)
            self.came.notify_all()

    async def take(self, count):
        async with self.came:
            await self.came.wait_for(lambda: len(self.samples) >= count)
            taken, self.samples = self.samples[:count], self.samples[count:]
            return taken


@ray.remote(num_cpus=0)
class Trainer:
    def __init__(self, buffer, sampler):
        self.buffer = buffer
        self.sampler = sampler
        self.version = 0

    def batch_size(self):
        return min(4 + self.version // 4, MOST)

    def step(self):
        batch = ray.get(self.buffer.take.remote(self.batch_size()))
        self.version += 1
        ray.get(self.sampler.load_weights.remote(self.version))
        return len(batch)


def fit(trainer):
    while True:
        ray.get(trainer.step.remote())


def main():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    buffer = Buffer.remote()
    sampler = Sampler.remote(buffer, 6)
    trainer = Trainer.remote(buffer, sampler)
    sampler.roll_out.remote()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    fit(trainer)


MOST = 6


if __name__ == "__main__":
    main()
