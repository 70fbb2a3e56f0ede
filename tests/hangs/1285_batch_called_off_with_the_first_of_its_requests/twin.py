import asyncio
import os


class Embedder:
    def __init__(self):
        self.requests = asyncio.Queue()
        self.batcher = None

    def ensure_batcher(self):
        if self.batcher is None:
            self.batcher = asyncio.create_task(self.run_batches(), name="batcher")
        return self.batcher

    async def run_batches(self):
        while True:
            batch = [await self.requests.get()]
            await asyncio.sleep(0.01)
            while not self.requests.empty():
                batch.append(self.requests.get_nowait())
            for text, done in batch:
                if not done.done():
                    done.set_result(len(text))

    async def embed(self, text):
        self.ensure_batcher()
        done = asyncio.get_running_loop().create_future()
        await self.requests.put((text, done))
        return await done

    async def drain(self, limit):
        batcher = self.ensure_batcher()
        watched = asyncio.shield(batcher) if SHIELDED else batcher
        try:
            await asyncio.wait_for(watched, limit)
        except asyncio.TimeoutError:
            return self.requests.qsize()


async def ask(embedder, number):
    while True:
        await embedder.embed("text of client %d" % number)
        await asyncio.sleep(0.005)


async def report(embedder):
    while True:
        await asyncio.sleep(0.5)
        await embedder.drain(0.2)


async def main():
    embedder = Embedder()
    clients = [
        asyncio.create_task(ask(embedder, number), name="client-%d" % number) for number in range(3)
    ]
    reporter = asyncio.create_task(report(embedder), name="reporter")
    await asyncio.gather(*clients)
    reporter.cancel()


SHIELDED = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
