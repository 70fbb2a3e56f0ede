import asyncio


class Oven:
    def __init__(self):
        self.degrees = 20

    async def heat(self):
        while self.degrees < 200:
            await asyncio.sleep(0)
            self.degrees += 20

    async def wait_until_hot(self):
        while self.degrees < 200:
            await asyncio.sleep(5)
