import asyncio
import os
import signal

import xoscar

signal.alarm(120)


class House(xoscar.Actor):
    def __init__(self, till):
        super().__init__()
        self.till = till
        self.free = {"stalls": 12, "balcony": 30}

    async def book(self, place):
        till = await xoscar.actor_ref(address=self.address, uid=self.till)
        price = await till.price_of(place, self.uid)
        self.free[place] -= 1
        return price

    async def seats_left(self, place):
        return self.free[place]


class Till(xoscar.Actor):
    async def price_of(self, place, house):
        house = await xoscar.actor_ref(address=self.address, uid=house)
        left = await house.seats_left(place)
        return 40 if left > 10 else 60


async def sell_evening(address):
    pool = await xoscar.create_actor_pool(address, n_process=0)
    async with pool:
        await xoscar.create_actor(Till, address=address, uid="till")
        house = await xoscar.create_actor(House, "till", address=address, uid="house")
        for place in ("stalls", "balcony"):
            await house.book(place)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(sell_evening("127.0.0.1:%d" % xoscar.utils.get_next_port()))
