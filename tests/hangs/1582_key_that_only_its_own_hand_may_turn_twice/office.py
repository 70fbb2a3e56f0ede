import asyncio
import os

from keyring import Ledger


class Office:
    def __init__(self, together):
        self.ledger = Ledger()
        self.together = together
        self.closed = 0

    async def settle(self, accounts):
        async with self.ledger.latch:
            if self.together:
                await asyncio.gather(*(self.interest(account) for account in accounts))
            else:
                for account in accounts:
                    await self.interest(account)
        self.closed += 1

    async def interest(self, account):
        sum_ = await self.ledger.balance(account)
        await self.ledger.post(account, max(1, sum_ // 50))

    async def counter(self, account):
        while True:
            await self.ledger.post(account, 5)
            await asyncio.sleep(0.1)

    async def evening(self):
        while True:
            await asyncio.sleep(0.5)
            await self.settle(["miller", "smith", "baker"])

    async def post_box(self):
        letters = 0
        while True:
            letters += 1
            await asyncio.sleep(0.3)

    async def open(self):
        tasks = [
            asyncio.create_task(self.counter("miller"), name="counter-miller"),
            asyncio.create_task(self.counter("smith"), name="counter-smith"),
            asyncio.create_task(self.evening(), name="evening"),
            asyncio.create_task(self.post_box(), name="post-box"),
        ]
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await asyncio.gather(*tasks)


def run(together):
    asyncio.run(Office(together).open())
