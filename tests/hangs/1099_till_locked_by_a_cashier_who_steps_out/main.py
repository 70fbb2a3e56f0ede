import asyncio
import os
import threading

import greenback

TURNS = False


class Till:
    def __init__(self):
        self.drawer = threading.Lock()
        self.coins = 0

    async def fetch_change(self):
        await asyncio.sleep(0.02)
        return 5

    def pay(self, amount):
        with self.drawer:
            change = greenback.await_(self.fetch_change())
            self.coins += amount - change


class Cashier:
    def __init__(self, till, turn):
        self.till = till
        self.turn = turn

    async def serve(self, customers):
        await greenback.ensure_portal()
        for amount in customers:
            async with self.turn:
                self.till.pay(amount)
            await asyncio.sleep(0.01)


async def hold_day(till):
    turn = asyncio.Lock()
    turns = [turn, turn] if TURNS else [asyncio.Lock(), asyncio.Lock()]
    async with asyncio.TaskGroup() as group:
        for name, own in zip(["ada", "bert"], turns):
            group.create_task(Cashier(till, own).serve(range(10, 20)), name=name)


async def run_shop():
    till = Till()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await hold_day(till)


if __name__ == "__main__":
    asyncio.run(run_shop())
