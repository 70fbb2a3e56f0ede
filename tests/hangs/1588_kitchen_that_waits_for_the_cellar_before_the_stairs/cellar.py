import asyncio

from mode import Service


class Cellar(Service):
    def __post_init__(self):
        self.stocked = asyncio.Event()
        self.bottles = 0

    @Service.task
    async def stock(self):
        while not self.should_stop:
            self.bottles += 12
            self.stocked.set()
            await self.sleep(0.5)


class Lantern(Service):
    def __post_init__(self):
        self.nights = 0

    @Service.timer(0.4)
    async def light(self):
        self.nights += 1
