import asyncio
import os


class Ask:
    def __init__(self, key):
        self.key = key
        self.done = asyncio.get_running_loop().create_future()


class Batch:
    def __init__(self):
        self.asks = []


class Loader:
    def __init__(self, fetch):
        self.fetch = fetch
        self.batch = None

    def load(self, key):
        if self.batch is None:
            self.batch = Batch()
            asyncio.get_running_loop().call_soon(self.dispatch)
        ask = Ask(key)
        self.batch.asks.append(ask)
        return ask.done

    def dispatch(self):
        batch, self.batch = self.batch, None
        self.running = asyncio.create_task(self.run(batch), name="fetch-batch")

    async def run(self, batch):
        texts = await self.fetch([ask.key for ask in batch.asks])
        for ask, text in zip(batch.asks, texts):
            ask.done.set_result(text)


class Shop:
    def __init__(self):
        self.printer = asyncio.Lock()
        self.labels = Loader(self.fetch_labels)

    async def fetch_labels(self, keys):
        async with self.printer:
            await asyncio.sleep(0.01)
            return ["label %s" % key for key in keys]

    async def ship(self, parcel):
        if HELD:
            async with self.printer:
                return await self.labels.load(parcel)
        label = await self.labels.load(parcel)
        async with self.printer:
            return label


async def count():
    counted = 0
    while True:
        counted += 1
        await asyncio.sleep(0.2)


async def main():
    shop = Shop()
    counter = asyncio.create_task(count(), name="counter")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    parcel = 0
    while not counter.done():
        parcel += 1
        await shop.ship(parcel)
        await asyncio.sleep(0.1)


HELD = True


if __name__ == "__main__":
    asyncio.run(main())
