import asyncio
import os

from laundry.line import Line, Shirt


class Boiler:
    def __init__(self):
        self.pressure = 1.0

    async def run(self):
        while True:
            self.pressure = 0.9 if self.pressure > 1.2 else self.pressure + 0.1
            await asyncio.sleep(0.2)


class Shop:
    def __init__(self, pressers, pace):
        self.line = Line(10)
        self.pressers = pressers
        self.pace = pace

    async def bring(self, shirts):
        for number, buttons in enumerate(shirts):
            await self.line.basket.put(Shirt(number, buttons))
        await self.line.close()

    async def day(self, shirts):
        boiler = asyncio.create_task(Boiler().run(), name="boiler")
        async with asyncio.TaskGroup() as staff:
            for number in range(self.pressers):
                staff.create_task(self.line.presser(self.pace), name=f"presser-{number}")
            staff.create_task(self.bring(shirts), name="counter")
            print("MARK main pid=%d" % os.getpid(), flush=True)
        boiler.cancel()
        return len(self.line.pressed), self.line.torn
