import asyncio
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

SHARED = False


class Desk:
    """The orders that have come in and the ones that were sent."""

    def __init__(self):
        self.orders = asyncio.Queue()
        self.sent = []
        self.seen = 0


desk = Desk()


class Packer:
    def __init__(self, name):
        self.name = name
        self.boxes = 0

    async def next_order(self):
        return await desk.orders.get()

    async def work(self):
        while True:
            order = await self.next_order()
            await asyncio.sleep(0.02)
            self.boxes += 1
            desk.sent.append((order, self.name))
            if not order.done.done():
                order.done.set_result(self.name)


class Ledger:
    def __init__(self):
        self.lines = 0

    async def keep(self):
        while True:
            await asyncio.sleep(0.5)
            self.lines += 1


async def open_shop():
    import storefront

    ledger = Ledger()
    packers = [Packer("packer-%d" % i) for i in range(2)]
    async with asyncio.TaskGroup() as group:
        group.create_task(ledger.keep(), name="ledger")
        for packer in packers:
            group.create_task(packer.work(), name=packer.name)
        group.create_task(storefront.take_orders(), name="storefront")


if __name__ == "__main__":
    if SHARED:
        sys.modules["main"] = sys.modules["__main__"]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(open_shop())
