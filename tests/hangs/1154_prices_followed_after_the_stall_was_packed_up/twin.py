import os

import trio


class Stall:
    def __init__(self):
        self.announce, self.prices = trio.open_memory_channel(4)
        self.board = {}

    async def follow_prices(self):
        async for fruit, price in self.prices:
            self.board[fruit] = price

    async def sell(self, fruit):
        await self.announce.send((fruit, len(fruit)))
        await trio.sleep(0.005)
        return self.board.get(fruit)

    async def trade(self, basket):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.follow_prices)
            for fruit in basket:
                await self.sell(fruit)
            if TIDY:
                nursery.cancel_scope.cancel()


async def run_market():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await Stall().trade(["apple", "pear", "plum"])
        await trio.sleep(0.02)


TIDY = True


if __name__ == "__main__":
    trio.run(run_market)
