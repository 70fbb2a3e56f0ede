import os

import trio
from tricycle import RWLock


class Archive:
    def __init__(self):
        self.lock = RWLock()
        self.pages = {}
        self.wanted = 0

    async def fetch(self, number):
        await trio.sleep(0.01)
        return f"page {number}"

    async def put_in(self, number):
        text = await self.fetch(number)
        async with self.lock.write_locked():
            self.pages[number] = text

    async def fill(self, number):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.put_in, number)

    async def find_page(self, number):
        if READS_FIRST:
            async with self.lock.read_locked():
                if number not in self.pages:
                    await self.fill(number)
                return self.pages[number]
        if number not in self.pages:
            await self.fill(number)
        async with self.lock.read_locked():
            return self.pages[number]


READS_FIRST = True


async def visitor(archive, numbers):
    while True:
        for number in numbers:
            archive.wanted += 1
            await archive.find_page(number)
            await trio.sleep(0.01)
        archive.pages.pop(numbers[0], None)


async def main():
    archive = Archive()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(visitor, archive, [1, 2, 3])
        nursery.start_soon(visitor, archive, [4, 5, 6])


if __name__ == "__main__":
    trio.run(main)
