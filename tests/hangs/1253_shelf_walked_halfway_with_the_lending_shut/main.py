import asyncio
import os


class Catalogue:
    def __init__(self, books):
        self.books = books
        self.lending = asyncio.Lock()

    async def on_shelf(self):
        async with self.lending:
            for book in self.books:
                await asyncio.sleep(0.001)
                yield book

    async def add(self, book):
        async with self.lending:
            self.books.append(book)


class Desk:
    def __init__(self, catalogue):
        self.catalogue = catalogue
        self.walks = []

    async def find(self, word):
        walk = self.catalogue.on_shelf()
        self.walks.append(walk)
        async for book in walk:
            if word in book:
                if PUT_BACK:
                    await walk.aclose()
                return book
        return None


async def main():
    catalogue = Catalogue(["roses", "bees", "rivers", "stones"])
    desk = Desk(catalogue)
    number = 0
    while True:
        await desk.find("bees")
        await catalogue.add("volume %d" % number)
        number += 1
        await asyncio.sleep(0.05)


PUT_BACK = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
