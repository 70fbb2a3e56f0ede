import asyncio
import threading
import time


class Meter(threading.Thread):
    def __init__(self):
        super().__init__(name="meter", daemon=True)
        self.read = 0

    def run(self):
        while True:
            self.read += 1
            time.sleep(0.3)


class Press:
    def __init__(self, loop, size):
        self.loop = loop
        self.pages = asyncio.Queue(size)
        self.printed = 0

    def carry(self, page):
        asyncio.run_coroutine_threadsafe(self.pages.put(page), self.loop).result()

    def print_book(self, pages):
        for number in range(pages):
            time.sleep(0.05)
            self.carry("page %d" % number)
            self.printed += 1
        return pages

    def print_books(self, books, pages):
        return [self.print_book(pages) for _ in range(books)]
