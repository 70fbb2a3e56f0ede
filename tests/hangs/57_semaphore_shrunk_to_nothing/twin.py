import asyncio
import os
import signal

signal.alarm(120)


class Throttle:
    def __init__(self, size, smallest):
        self.size, self.smallest = size, smallest
        self.permits = asyncio.Semaphore(size)

    async def slow_down(self):
        if self.size > self.smallest:
            self.size -= 1
            await self.permits.acquire()


async def create_item(throttle, n):
    async with throttle.permits:
        await asyncio.sleep(0.02)
    await throttle.slow_down()
    return n


async def create_items(smallest):
    throttle = Throttle(2, smallest)
    for first in range(0, 8, 2):
        wave = (asyncio.create_task(create_item(throttle, first + n)) for n in range(2))
        await asyncio.gather(*wave)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(create_items(smallest=1))
