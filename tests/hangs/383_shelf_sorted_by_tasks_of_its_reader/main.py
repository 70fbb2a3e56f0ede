import asyncio
import os
import signal

from aiorwlock import RWLock

signal.alarm(120)


class Shelf:
    def __init__(self, books):
        self.books = books
        self.lock = RWLock()


async def move_book(shelf, place):
    async with shelf.lock.writer:
        await asyncio.sleep(0.02)
        shelf.books.insert(0, shelf.books.pop(place))


async def tidy_shelf(shelf):
    async with shelf.lock.reader:
        wrong = [place for place, book in enumerate(shelf.books) if place and book < shelf.books[0]]
        await asyncio.gather(*(move_book(shelf, place) for place in wrong))


async def main():
    await tidy_shelf(Shelf(["Kafka", "Austen", "Zola", "Borges"]))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(main())
