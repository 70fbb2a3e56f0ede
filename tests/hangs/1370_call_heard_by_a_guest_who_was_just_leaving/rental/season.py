import asyncio
import os

from rental.boats import Landing


class Weather:
    def __init__(self):
        self.readings = []

    async def watch(self):
        while True:
            self.readings.append(len(self.readings) % 7)
            del self.readings[:-20]
            await asyncio.sleep(0.4)


class Season:
    def __init__(self):
        self.landing = Landing(1)
        self.done = []

    async def row(self, guest, length):
        async with self.landing.trip(guest) as boat:
            await asyncio.sleep(length)
            self.done.append((guest, boat.number))

    async def afternoon(self, impatient, length):
        boat = await self.landing.board("ada")
        ben = asyncio.create_task(self.row("ben", length), name="ben")
        await asyncio.sleep(0.1)
        cleo = asyncio.create_task(self.row("cleo", length), name="cleo")
        await asyncio.sleep(0.1)
        await self.landing.land(boat)
        if impatient:
            ben.cancel()
        await asyncio.gather(ben, cleo, return_exceptions=True)
        return self.done


async def main(impatient, length):
    season = Season()
    weather = asyncio.create_task(Weather().watch(), name="weather")
    plan = asyncio.create_task(season.afternoon(impatient, length), name="plan")
    await asyncio.sleep(0.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(await plan)
    weather.cancel()
