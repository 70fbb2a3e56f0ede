import asyncio
import contextlib


class Teller:
    def __init__(self, ledger, number):
        self.ledger = ledger
        self.number = number
        self.entries = 0

    async def work(self):
        while True:
            await self.ledger.enter(self.number * 7 + self.entries)
            self.entries += 1
            await asyncio.sleep(0.05)


class Auditor:
    def __init__(self, ledger, under_lock):
        self.ledger = ledger
        self.under_lock = under_lock
        self.marks = []

    async def mark(self, line):
        if self.under_lock:
            await self.ledger.pen.acquire()
        self.marks.append(line)

    async def first_above(self, limit):
        async with contextlib.aclosing(self.ledger.read()) as lines:
            async for line in lines:
                if line > limit:
                    await self.mark(line)
                    break
        if self.under_lock:
            self.ledger.pen.release()

    async def work(self):
        limit = 0
        while True:
            await self.first_above(limit % 150)
            limit += 7
            await asyncio.sleep(0.3)
