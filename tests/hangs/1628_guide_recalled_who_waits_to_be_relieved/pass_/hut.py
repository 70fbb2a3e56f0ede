import asyncio


class Weather:
    def __init__(self):
        self.wind = 0

    async def change(self):
        while True:
            self.wind = (self.wind + 1) % 9
            await asyncio.sleep(0.1)


class Hut:
    """Where guides sign off; somebody must be there to take their report."""

    def __init__(self, weather):
        self.weather = weather
        self.meals = 0
        self.relieved = asyncio.Event()
        self.reports = []

    async def supper(self):
        while True:
            self.meals += 1
            await asyncio.sleep(0.3)

    async def sign_off(self, report):
        self.reports.append(report)
        await self.relieved.wait()
        self.relieved.clear()

    def relieve(self):
        self.relieved.set()
