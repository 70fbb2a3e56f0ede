import asyncio


class Guide:
    def __init__(self, hut, signs_off):
        self.hut = hut
        self.signs_off = signs_off
        self.height = 0

    async def climb(self, goal):
        try:
            while self.height < goal:
                await asyncio.sleep(0.02 + self.hut.weather.wind / 200)
                self.height += 40
            return self.height
        finally:
            if self.signs_off and self.height < goal:
                await self.hut.sign_off("turned back at %d" % self.height)


class Party:
    def __init__(self, hut, signs_off):
        self.hut = hut
        self.signs_off = signs_off
        self.summits = 0
        self.retreats = 0

    async def tour(self, goal):
        guide = Guide(self.hut, self.signs_off)
        try:
            await asyncio.wait_for(guide.climb(goal), timeout=0.5)
            self.summits += 1
        except asyncio.TimeoutError:
            self.retreats += 1
            self.hut.relieve()

    async def season(self):
        number = 0
        while True:
            number += 1
            await self.tour(120 + number % 4 * 400)
            await asyncio.sleep(0.05)
