import os

import trio

CLOSED = True


class Stocktaking:
    def __init__(self):
        self.totals = {}

    async def count_shelf(self, shelf, slips):
        async with slips:
            for box in range(3):
                await trio.sleep(0.01)
                await slips.send((shelf, box + 1))

    async def add_up(self, slips):
        async for shelf, count in slips:
            self.totals[shelf] = self.totals.get(shelf, 0) + count

    async def count_all(self, shelves):
        outgoing, incoming = trio.open_memory_channel(4)
        async with trio.open_nursery() as nursery:
            for shelf in shelves:
                nursery.start_soon(self.count_shelf, shelf, outgoing.clone())
            if CLOSED:
                await outgoing.aclose()
            await self.add_up(incoming)
        return sum(self.totals.values())


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await Stocktaking().count_all(["nails", "screws", "hooks"])


if __name__ == "__main__":
    trio.run(main)
