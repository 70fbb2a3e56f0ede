import asyncio
import os
import signal

import aioprocessing

signal.alarm(120)


class PostOffice:
    def __init__(self):
        self.letters = aioprocessing.AioQueue()
        self.sorted = []

    async def sort_letters(self):
        while True:
            letter = await self.letters.coro_get()
            self.sorted.append(letter)


async def open_office(seconds):
    office = PostOffice()
    office.letters.put("a card")
    sorting = asyncio.create_task(office.sort_letters())
    while not sorting.done():
        await asyncio.sleep(seconds)
        office.letters.put("a card")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(open_office(0.5))
