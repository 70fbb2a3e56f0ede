import asyncio
import os

from rivers.survey import Survey

EARLY = True


class Gauge:
    def __init__(self):
        self.level = 0

    async def watch(self):
        while True:
            self.level = (self.level + 3) % 50
            await asyncio.sleep(0.3)


class Ministry:
    def __init__(self, survey):
        self.survey = survey
        self.maps = []

    async def year(self):
        total = await self.survey.chart("delta")
        self.maps.append(total)
        del self.maps[:-5]

    async def publish(self):
        while True:
            await self.year()
            await asyncio.sleep(0.2)


async def main():
    ministry = Ministry(Survey(3, EARLY))
    gauge = asyncio.create_task(Gauge().watch(), name="gauge")
    press = asyncio.create_task(ministry.publish(), name="map-press")
    await asyncio.gather(gauge, press)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
