import gzip
import io
import os
import random
import threading

import rapidgzip

SHARE = False


class Source(io.RawIOBase):
    def __init__(self, data, door):
        self.data = io.BytesIO(data)
        self.door = door

    def read(self, size=-1):
        with self.door:
            return self.data.read(size)

    def seek(self, offset, whence=0):
        with self.door:
            return self.data.seek(offset, whence)

    def tell(self):
        return self.data.tell()

    def readable(self):
        return True

    def seekable(self):
        return True


class Library:
    def __init__(self, data):
        self.door = threading.RLock()
        self.lent = 0
        door = self.door if SHARE else threading.RLock()
        self.book = rapidgzip.open(Source(data, door), parallelization=3)

    def page(self, size):
        with self.door:
            self.lent += 1
            return self.book.read(size)


def print_book(chapters):
    words = random.Random(7)
    return gzip.compress(words.randbytes(chapters << 19) * 2, 1)


def lend(library):
    while page := library.page(1 << 18):
        yield len(page)


def main():
    data = print_book(8)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        sum(lend(Library(data)))


if __name__ == "__main__":
    main()
