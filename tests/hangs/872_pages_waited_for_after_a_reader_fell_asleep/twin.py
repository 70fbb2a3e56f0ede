import os

import curio

TORN = {40, 70}
READERS = 2


class Book:
    def __init__(self, title, pages):
        self.title = title
        self.pages = pages
        self.words = 0

    def text(self, number):
        return "" if number in TORN else "word " * (number + 3)


async def read_page(book, number):
    await curio.sleep(0.01)
    words = book.text(number).split()
    book.words += len(words)
    return len(words), max(len(word) for word in words)


async def reader(book, pages):
    while True:
        number = await pages.get()
        await read_page(book, number)
        await pages.task_done()


async def hand_out(book, pages):
    for number in range(book.pages):
        await pages.put(number)


async def read_book(book):
    pages = curio.Queue()
    readers = [await curio.spawn(reader, book, pages) for _ in range(READERS)]
    await hand_out(book, pages)
    await pages.join()
    for one in readers:
        await one.cancel()
    return book.words


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await read_book(Book("Atlas", 12))


if __name__ == "__main__":
    curio.run(main)
