import asyncio
import multiprocessing


def carve(line):
    while True:
        order = line.recv()
        if order is None:
            return
        line.send(order.upper())


class Carver:
    def __init__(self):
        self.line, far = multiprocessing.Pipe()
        self.process = multiprocessing.Process(
            target=carve, args=(far,), name="carver", daemon=True
        )
        self.process.start()
        far.close()
        self.carved = []

    def next_piece(self):
        piece = self.line.recv()
        self.carved.append(piece)
        return piece

    async def order(self, name):
        self.line.send(name)

    async def pieces(self):
        while True:
            yield await asyncio.to_thread(self.next_piece)


class Shop:
    def __init__(self, carver, wanted):
        self.carver = carver
        self.wanted = wanted
        self.shelf = []

    async def stock(self):
        async for piece in self.carver.pieces():
            self.shelf.append(piece)

    async def sell(self):
        number = 0
        while self.wanted is None or number < self.wanted:
            await self.carver.order("horse %d" % number)
            await asyncio.sleep(0.05)
            number += 1


async def trade(carver, wanted):
    shop = Shop(carver, wanted)
    stocking = asyncio.create_task(shop.stock(), name="stocking")
    await shop.sell()
    stocking.cancel()
    await asyncio.wait([stocking])
    return len(shop.shelf)
