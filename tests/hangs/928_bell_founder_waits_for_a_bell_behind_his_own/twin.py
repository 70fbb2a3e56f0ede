import asyncio
import os

from bubus import BaseEvent, EventBus

WAITS_IN_HANDLER = False


class Cast(BaseEvent):
    bell: str
    event_timeout: float | None = None


class Cooled(BaseEvent):
    bell: str
    event_timeout: float | None = None


class Foundry:
    def __init__(self):
        self.bus = EventBus(name="Foundry", max_history_size=20)
        self.bus.on(Cast, self.on_cast)
        self.bus.on(Cooled, self.on_cooled)
        self.cooled = asyncio.Event()
        self.bells = []

    async def on_cast(self, event):
        self.cooled.clear()
        self.bus.dispatch(Cooled(bell=event.bell))
        if WAITS_IN_HANDLER:
            await self.cooled.wait()
        self.bells.append(event.bell)

    async def on_cooled(self, event):
        await asyncio.sleep(0.01)
        self.cooled.set()

    async def pour(self, bell):
        await self.bus.dispatch(Cast(bell=bell))


async def run_foundry():
    foundry = Foundry()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        await foundry.pour("bell-%d" % number)
        number += 1
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(run_foundry())
