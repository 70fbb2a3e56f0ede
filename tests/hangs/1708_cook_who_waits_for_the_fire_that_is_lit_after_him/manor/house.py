import asyncio

from aiosignal import Signal


class Kitchen:
    def __init__(self):
        self.fire = asyncio.Event()
        self.meals = 0

    async def light(self, house):
        await asyncio.sleep(0.05)
        self.fire.set()

    async def breakfast(self, house):
        await self.fire.wait()
        self.meals += 1

    async def sweep(self, house):
        self.fire.clear()


class House:
    def __init__(self, early):
        self.kitchen = Kitchen()
        self.on_morning = Signal(self)
        self.on_evening = Signal(self)
        calls = [self.kitchen.breakfast, self.kitchen.light]
        self.on_morning.extend(reversed(calls) if early else calls)
        self.on_evening.append(self.kitchen.sweep)
        self.on_morning.freeze()
        self.on_evening.freeze()
        self.days = 0

    async def day(self):
        await self.on_morning.send(self)
        await asyncio.sleep(0.1)
        await self.on_evening.send(self)
        self.days += 1
