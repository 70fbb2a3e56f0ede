import asyncio
import os
import signal
import threading

from fsspec.asyn import AsyncFileSystem

signal.alarm(120)
BOOKS = {"/tea.txt": b"Of tea", "/jam.txt": b"Of jam and its making"}


class Shelf(AsyncFileSystem):
    protocol = "shelf"

    async def _cat_file(self, path, start=None, end=None, **options):
        await asyncio.sleep(0.01)
        return BOOKS[path][start:end]


class Library:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="reader", daemon=True).start()
        self.shelf = Shelf(loop=self.loop, skip_instance_cache=True)

    def read(self, title):
        return self.shelf.cat_file("/%s.txt" % title)

    def pages(self):
        return sum(len(self.read(title)) for title in ("tea", "jam"))


if __name__ == "__main__":
    library = Library()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        library.pages()
