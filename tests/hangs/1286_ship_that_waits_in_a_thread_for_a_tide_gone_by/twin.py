import asyncio
import os
import threading


class Tide:
    def __init__(self):
        self.high = threading.Event()

    async def wait_high(self):
        await asyncio.get_running_loop().run_in_executor(None, self.high.wait)

    def report(self, level):
        if level > 7:
            self.high.set()


class Gauge:
    def __init__(self, tide, levels):
        self.tide = tide
        self.levels = levels

    async def read(self):
        for level in self.levels:
            await asyncio.sleep(0.1)
            self.tide.report(level)


async def cast_off(tide):
    await tide.wait_high()
    return "off"


async def main():
    tide = Tide()
    reading = asyncio.create_task(Gauge(tide, LEVELS).read())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await cast_off(tide)
    await reading


LEVELS = (2,) * 900 + (8,)

asyncio.run(main())
