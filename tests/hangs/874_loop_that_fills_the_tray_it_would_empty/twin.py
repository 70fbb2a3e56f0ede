import asyncio
import os

import culsans


class Tray:
    def __init__(self, size):
        self.queue = culsans.Queue(maxsize=size)

    def lay_down(self, order):
        self.queue.sync_q.put(order)

    async def take(self):
        return await self.queue.async_q.get()


class Desk:
    def __init__(self, size):
        self.tray = Tray(size)
        self.labelled = 0

    def take_order(self, number, items):
        for item in items:
            self.tray.lay_down({"order": number, "item": item, "label": f"{number}-{item}"})

    async def label_all(self):
        while True:
            order = await self.tray.take()
            await asyncio.sleep(0.001)
            self.labelled += len(order["label"]) > 0


ITEMS = ("tea", "rice", "salt", "oil", "soap", "bread")


async def receive(desk):
    number = 0
    while True:
        number += 1
        desk.take_order(number, ITEMS)
        while desk.labelled < number * len(ITEMS):
            await asyncio.sleep(0.02)


async def main():
    desk = Desk(SIZE)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as group:
        group.create_task(desk.label_all(), name="labels")
        group.create_task(receive(desk), name="orders")


SIZE = 16


if __name__ == "__main__":
    asyncio.run(main())
