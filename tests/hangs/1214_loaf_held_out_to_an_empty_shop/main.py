import os

import anyio


class Bakery:
    def __init__(self, shelf):
        self.shelf = shelf
        self.baked = 0

    async def bake(self, loaves):
        async with self.shelf:
            for number in range(loaves):
                await anyio.sleep(0.01)
                await self.shelf.send("loaf %d" % number)
                self.baked += 1


async def buy(counter, bag, wanted):
    async with counter:
        async for loaf in counter:
            bag.append(loaf)
            if len(bag) == wanted:
                return


async def open_bakery(loaves):
    shelf, counter = anyio.create_memory_object_stream()
    bakery = Bakery(shelf)
    bags = [[], [], []]
    async with anyio.create_task_group() as day:
        day.start_soon(bakery.bake, loaves, name="baker")
        for number, bag in enumerate(bags):
            day.start_soon(buy, counter.clone(), bag, 3, name="customer-%d" % number)
    counter.close()
    return sum(map(len, bags))


async def run_street():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await open_bakery(LOAVES)


LOAVES = 12


if __name__ == "__main__":
    anyio.run(run_street)
