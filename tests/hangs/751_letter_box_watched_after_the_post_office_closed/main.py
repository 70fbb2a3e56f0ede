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
    await asyncio.sleep(seconds)
    sorting.cancel()
    return office.sorted


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(open_office(0.5))
