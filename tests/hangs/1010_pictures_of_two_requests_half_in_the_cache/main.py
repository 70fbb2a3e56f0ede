import asyncio
import os


class EncoderCache:
    def __init__(self, slots):
        self.free = slots
        self.changed = asyncio.Condition()

    async def take(self, count):
        async with self.changed:
            await self.changed.wait_for(lambda: self.free >= count)
            self.free -= count

    async def give_back(self, count):
        async with self.changed:
            self.free += count
            self.changed.notify_all()


async def encode(picture):
    await asyncio.sleep(0.01)
    return [0.5] * picture


async def answer(cache, pictures):
    taken, parts = 0, []
    try:
        for picture in pictures:
            await cache.take(picture)
            taken += picture
            parts.append(await encode(picture))
        return sum(len(part) for part in parts)
    finally:
        await cache.give_back(taken)


async def serve_client(cache, pictures):
    while True:
        await answer(cache, pictures)
        await asyncio.sleep(0.01)


async def main():
    cache = EncoderCache(SLOTS)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as clients:
        clients.create_task(serve_client(cache, [5, 4]), name="clip-a")
        clients.create_task(serve_client(cache, [4, 5]), name="clip-b")


SLOTS = 10


if __name__ == "__main__":
    asyncio.run(main())
