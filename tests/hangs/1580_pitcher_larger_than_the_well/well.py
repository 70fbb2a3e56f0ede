import asyncio
import time
from dataclasses import dataclass, field


class Well:
    """Water that comes back at a steady pace, never above the brim."""

    def __init__(self, brim, per_second):
        self.brim = brim
        self.per_second = per_second
        self.level = float(brim)
        self.seen = time.monotonic()

    def _rise(self):
        now = time.monotonic()
        self.level = min(self.brim, self.level + (now - self.seen) * self.per_second)
        self.seen = now

    def _missing(self, litres):
        self._rise()
        if self.level >= litres:
            self.level -= litres
            return 0.0
        return max((litres - self.level) / self.per_second, 0.05)

    async def draw(self, litres):
        while delay := self._missing(litres):
            await asyncio.sleep(min(delay, 0.5))


@dataclass
class Order:
    house: str
    litres: int
    done: asyncio.Event = field(default_factory=asyncio.Event)


class WaterCart:
    def __init__(self, well):
        self.well = well
        self.orders = asyncio.Queue()
        self.delivered = {}

    async def drive(self):
        while True:
            order = await self.orders.get()
            await self.fill(order)
            order.done.set()
            self.orders.task_done()

    async def fill(self, order):
        await self.well.draw(order.litres)
        self.delivered[order.house] = self.delivered.get(order.house, 0) + order.litres

    async def order(self, house, litres):
        order = Order(house, litres)
        await self.orders.put(order)
        await order.done.wait()
        return self.delivered[house]
