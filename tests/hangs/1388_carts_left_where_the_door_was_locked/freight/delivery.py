import asyncio
import os

from freight.carts import CartPool


class Delivery:
    def __init__(self, carts, locked, length):
        self.carts = CartPool(carts)
        self.locked = set(locked)
        self.length = length
        self.delivered = []
        self.returned = []

    async def deliver(self, address):
        cart = await self.carts.acquire()
        await asyncio.sleep(0.05)
        if address in self.locked:
            self.returned.append(address)
            return False
        await asyncio.sleep(self.length)
        cart.miles += 2
        self.delivered.append(address)
        self.carts.release(cart)
        return True

    async def driver(self, addresses):
        while addresses:
            await self.deliver(addresses.pop(0))


async def weather(values):
    while True:
        values.append(len(values) % 4)
        del values[:-8]
        await asyncio.sleep(0.3)


async def main(locked, length):
    addresses = ["mill", "inn", "farm", "school", "forge", "church", "well", "barn"]
    delivery = Delivery(2, locked, length)
    sky = asyncio.ensure_future(weather([]))
    drivers = [asyncio.ensure_future(delivery.driver(addresses)) for _ in range(3)]
    await asyncio.sleep(0.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*drivers)
    sky.cancel()
    print(delivery.delivered, delivery.returned)
