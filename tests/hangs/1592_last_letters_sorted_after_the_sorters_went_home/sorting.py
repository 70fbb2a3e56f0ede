import asyncio
import contextlib


class SortingRoom:
    def __init__(self, sorters):
        self.bag = asyncio.Queue(maxsize=50)
        self.sorted = {}
        self.sorters = [
            asyncio.create_task(self.sort(n), name="sorter-%d" % n) for n in range(sorters)
        ]

    async def sort(self, number):
        while True:
            letter = await self.bag.get()
            await asyncio.sleep(0.05)
            self.sorted[letter] = number
            self.bag.task_done()

    async def post(self, letter):
        await self.bag.put(letter)

    async def close(self, drain_first):
        if drain_first:
            await self.bag.join()
        for sorter in self.sorters:
            sorter.cancel()
        for sorter in self.sorters:
            with contextlib.suppress(asyncio.CancelledError):
                await sorter
        await self.bag.join()
