import os
import signal

import anyio
from anyio.from_thread import start_blocking_portal

signal.alarm(120)


class Board:
    def __init__(self):
        self.prices = {}
        self.sender, self.receiver = anyio.create_memory_object_stream(10)

    async def follow_prices(self):
        async for name, price in self.receiver:
            self.prices[name] = price

    async def tell(self, name, price):
        await self.sender.send((name, price))


def show_board(names):
    board = Board()
    with start_blocking_portal() as portal:
        portal.start_task_soon(board.follow_prices, name="follow-prices")
        for number, name in enumerate(names):
            portal.call(board.tell, name, number)
        portal.call(board.sender.aclose)
    return board.prices


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        show_board(["tea", "pie"])
