import asyncio
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
from lmcache.v1.storage_backend.storage_manager import AsyncMultiSerializer


class Pages:
    def calculate_chunk_budget(self):
        return 16


class Store:
    def __init__(self, serializer):
        self.serializer = serializer

    async def fetch(self, request, chunks):
        return await self.serializer.run(self.read(request, chunks), chunks)

    async def read(self, request, chunks):
        await asyncio.sleep(0.005)
        if request % 5 == 0:
            return await self.read_prefix(request, chunks)
        return chunks

    async def read_prefix(self, request, chunks):
        if NESTED:
            return await self.fetch(request + 1, chunks)
        await asyncio.sleep(0.005)
        return chunks


async def answer(store, desk):
    request = desk
    while True:
        await store.fetch(request, 3)
        request += 1


async def main():
    store = Store(AsyncMultiSerializer(Pages(), asyncio.get_running_loop()))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as desks:
        for desk in range(6):
            desks.create_task(answer(store, 5 * desk), name="desk-%d" % desk)


NESTED = True


if __name__ == "__main__":
    asyncio.run(main())
