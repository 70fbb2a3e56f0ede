import asyncio

from darkroom.progress import develop, open_progress


class Lab:
    def __init__(self, pool):
        self.pool = pool
        self.loop = asyncio.get_running_loop()
        self.progress = open_progress(self.loop)
        self.shown = 0
        self.prints = []

    async def show(self):
        news = asyncio.Queue()
        self.progress.watchers.append(news)
        while True:
            await news.get()
            self.shown += 1

    async def warm_up(self):
        degrees = 18
        while True:
            degrees = min(degrees + 1, 24)
            await asyncio.sleep(0.5)

    async def roll(self, pictures):
        calls = [self.loop.run_in_executor(self.pool, develop, one) for one in pictures]
        self.prints += await asyncio.gather(*calls)

    async def day(self):
        first = 0
        while True:
            await self.roll(range(first, first + 4))
            first += 4
            await asyncio.sleep(0.1)


async def run(pool, ready):
    lab = Lab(pool)
    show = asyncio.create_task(lab.show(), name="show")
    warm = asyncio.create_task(lab.warm_up(), name="warm-up")
    ready()
    await lab.day()
    show.cancel()
    warm.cancel()
