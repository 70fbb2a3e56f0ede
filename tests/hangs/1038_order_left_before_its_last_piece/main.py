import asyncio
import os

TO_THE_END = False


class Order:
    def __init__(self, name, parts):
        self.name = name
        self.parts = parts
        self.settled = asyncio.Event()


class Workshop:
    def __init__(self):
        self.orders = []
        self.done = 0

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        await self.close()

    async def close(self):
        for order in self.orders:
            await order.settled.wait()
        self.orders.clear()

    async def make(self, part):
        await asyncio.sleep(0.01)
        self.done += 1
        return "%s, planed" % part

    async def carry_out(self, name, parts):
        order = Order(name, parts)
        self.orders.append(order)
        for part in order.parts:
            yield await self.make(part)
        order.settled.set()


async def fit_door(workshop):
    pieces = workshop.carry_out("door", ["frame", "panel", "sill"])
    async for piece in pieces:
        if piece.startswith("panel") and not TO_THE_END:
            break
    return pieces


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        async with Workshop() as workshop:
            kept = await fit_door(workshop)
        del kept


if __name__ == "__main__":
    asyncio.run(main())
