import asyncio


class Ledger:
    def __init__(self, pages):
        self.lines = list(range(pages))
        self.pen = asyncio.Lock()
        self.readers = 0
        self.dried = 0

    async def dry_ink(self):
        while True:
            self.dried += 1
            await asyncio.sleep(0.2)

    async def enter(self, amount):
        async with self.pen:
            await asyncio.sleep(0.01)
            self.lines[amount % len(self.lines)] += 1

    async def read(self):
        """Lines, one after the other; the number of readers is kept under the pen's lock."""
        async with self.pen:
            self.readers += 1
        try:
            for line in self.lines:
                await asyncio.sleep(0)
                yield line
        finally:
            async with self.pen:
                self.readers -= 1
