import asyncio
import queue


class Room:
    def __init__(self):
        self.sack = queue.Queue()
        self.sorted = 0
        self.lamps = 0

    def sort(self):
        while True:
            letter = self.sack.get()
            if letter is None:
                return self.sorted
            self.sorted += 1

    async def collect(self):
        number = 0
        while True:
            self.sack.put("letter-%d" % number)
            number += 1
            await asyncio.sleep(0.1)

    async def light(self):
        while True:
            self.lamps += 1
            await asyncio.sleep(0.2)

    async def open(self):
        loop = asyncio.get_running_loop()
        sorting = loop.run_in_executor(None, self.sort)
        lamps = asyncio.create_task(self.light(), name="lamps")
        await self.collect()
        self.sack.put(None)
        await sorting
        lamps.cancel()
