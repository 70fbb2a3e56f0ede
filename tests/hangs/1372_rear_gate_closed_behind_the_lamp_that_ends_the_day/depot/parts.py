import asyncio


class Feed:
    def __init__(self, name):
        self.name = name
        self.out = asyncio.Queue()
        self.sent = 0

    async def __aenter__(self):
        self.pump = asyncio.create_task(self.run(), name=f"{self.name}-feed")
        return self

    async def run(self):
        while True:
            await self.out.put((self.name, self.sent))
            self.sent += 1
            await asyncio.sleep(0.1)

    async def __aexit__(self, *exc):
        self.pump.cancel()
        await asyncio.gather(self.pump, return_exceptions=True)
        await self.out.put(None)


class Ledger:
    def __init__(self, feed, delay=0.0):
        self.feed = feed
        self.lines = []
        self.delay = delay

    async def __aenter__(self):
        self.writer = asyncio.create_task(self.write(), name=f"{self.feed.name}-ledger")
        return self

    async def write(self):
        while (item := await self.feed.out.get()) is not None:
            self.lines.append(item)
            await asyncio.sleep(self.delay)

    async def __aexit__(self, *exc):
        await self.writer
