import asyncio
import os


class Pantry:
    def __init__(self):
        self.changed = asyncio.Condition()
        self.flour = 0
        self.eggs = 0

    async def take_flour(self, bags):
        async with self.changed:
            await self.changed.wait_for(lambda: self.flour >= bags)
            self.flour -= bags

    async def take_eggs(self, count):
        async with self.changed:
            await self.changed.wait_for(lambda: self.eggs >= count)
            self.eggs -= count

    async def bring_eggs(self, count):
        async with self.changed:
            self.eggs += count
            if EVERYBODY:
                self.changed.notify_all()
            else:
                self.changed.notify()

    async def bring_flour(self, bags):
        async with self.changed:
            self.flour += bags
            self.changed.notify_all()


async def bake_bread(pantry, called):
    while True:
        await pantry.take_flour(3)
        called.set()


async def bake_cakes(pantry, called):
    while True:
        await pantry.take_eggs(6)
        called.set()
        await asyncio.sleep(0)


async def deliver(pantry, called):
    while True:
        await asyncio.sleep(0.05)
        await pantry.bring_eggs(6)
        await called.wait()
        called.clear()


async def main():
    pantry, called = Pantry(), asyncio.Event()
    bread = asyncio.create_task(bake_bread(pantry, called), name="bread")
    await asyncio.sleep(0.1)
    cakes = asyncio.create_task(bake_cakes(pantry, called), name="cakes")
    await asyncio.sleep(0.1)
    van = asyncio.create_task(deliver(pantry, called), name="van")
    await asyncio.gather(bread, cakes, van)


EVERYBODY = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
