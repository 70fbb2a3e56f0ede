import asyncio
import os
import signal

signal.alarm(120)


class Oven:
    def __init__(self):
        self.warm = asyncio.Condition()
        self.degrees = 20

    async def heat_oven(self):
        async with self.warm:
            self.degrees = 180
            self.warm.notify_all()

    async def open_door(self):
        await asyncio.sleep(0.2)
        async with self.warm:
            await self.warm.wait()
        return self.degrees


async def bake():
    oven = Oven()
    heating = asyncio.create_task(oven.heat_oven(), name="heat-oven")
    opening = asyncio.create_task(oven.open_door(), name="open-door")
    await asyncio.gather(heating, opening)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(bake())
