import asyncio
import os

from asyncio_taskpool.pool import TaskPool

PLACES = 6


class Station:
    def __init__(self):
        self.porters = TaskPool(pool_size=PLACES)
        self.carried = 0

    async def carry_bag(self, done):
        await asyncio.sleep(0.01)
        self.carried += 1
        done.set_result(self.carried)

    async def carry_cart(self, left):
        await asyncio.sleep(0.02)
        done = asyncio.get_running_loop().create_future()
        self.porters.apply(self.carry_bag, args=(done,))
        await done
        left.set_result(None)

    async def unload(self, carts):
        waiting = []
        for _ in range(carts):
            left = asyncio.get_running_loop().create_future()
            self.porters.apply(self.carry_cart, args=(left,))
            waiting.append(left)
        for left in waiting:
            await left


async def main():
    station = Station()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await station.unload(2)
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
