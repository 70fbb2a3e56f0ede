import asyncio
import os

from well import WaterCart, Well


class House:
    def __init__(self, name, cart, wants):
        self.name = name
        self.cart = cart
        self.wants = wants
        self.used = 0

    async def live(self):
        while True:
            for litres in self.wants:
                await self.cart.order(self.name, litres)
                self.used += litres
                await asyncio.sleep(0.2)


class Weathercock:
    def __init__(self):
        self.turns = 0

    async def turn(self):
        while True:
            self.turns += 1
            await asyncio.sleep(0.7)


async def street(laundry):
    cart = WaterCart(Well(brim=100, per_second=80))
    houses = [
        House("mill", cart, [10, 20]),
        House("laundry", cart, laundry),
        House("school", cart, [5]),
    ]
    async with asyncio.TaskGroup() as group:
        group.create_task(cart.drive(), name="cart")
        group.create_task(Weathercock().turn(), name="weathercock")
        for house in houses:
            group.create_task(house.live(), name=house.name)
        print("MARK main pid=%d" % os.getpid(), flush=True)


def run(laundry):
    asyncio.run(street(laundry))
