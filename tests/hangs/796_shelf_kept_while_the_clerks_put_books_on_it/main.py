import os
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor

from diskcache import Cache

signal.alarm(120)


class Shelf:
    def __init__(self, folder):
        self.books = Cache(folder, timeout=1)
        self.clerks = ThreadPoolExecutor(2, thread_name_prefix="clerk")

    def put(self, title):
        return self.books.set(title, len(title), retry=True)

    def restock(self, titles):
        with self.books.transact(retry=True):
            self.books.clear()
            return list(self.clerks.map(self.put, titles))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        shelf.restock(["Emma", "Persuasion"])
