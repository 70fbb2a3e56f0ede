import asyncio
import os


class Weather:
    def __init__(self):
        self.fresh = asyncio.Event()
        self.forecast = {}
        self.cache = {"coast": "rain"}

    async def load(self, region):
        if region not in self.cache:
            await asyncio.sleep(0.01)
            self.cache[region] = "sun"
        self.forecast[region] = self.cache[region]
        self.fresh.set()

    async def ask(self, region):
        loading = asyncio.create_task(self.load(region))
        self.fresh.clear()
        await self.fresh.wait()
        await loading
        return self.forecast[region]


async def announce(weather):
    for number in range(20):
        await weather.ask("valley-%d" % number)
    while True:
        await weather.ask("coast")
        await asyncio.sleep(0.05)


async def main():
    if EAGER:
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    weather = Weather()
    await asyncio.create_task(announce(weather), name="announcer")


EAGER = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
