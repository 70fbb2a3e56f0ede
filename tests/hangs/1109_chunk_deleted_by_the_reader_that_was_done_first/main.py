import os
import queue
import tempfile
import threading
import time


class Chunks:
    def __init__(self, folder):
        self.folder = folder
        self.wanted = queue.Queue()
        self.fetched = set()

    def path(self, number):
        return os.path.join(self.folder, "chunk-%d.bin" % number)

    def fetch_all(self):
        while True:
            number = self.wanted.get()
            if number in self.fetched:
                continue
            time.sleep(0.01)
            with open(self.path(number) + ".part", "wb") as file:
                file.write(bytes([number % 256]) * 512)
            os.rename(self.path(number) + ".part", self.path(number))
            self.fetched.add(number)

    def load(self, number):
        self.wanted.put(number)
        while not os.path.exists(self.path(number)):
            time.sleep(0.02)
        with open(self.path(number), "rb") as file:
            return file.read()

    def drop(self, number):
        os.remove(self.path(number))
        if FORGETS:
            self.fetched.discard(number)


def read_epoch(chunks, numbers, keep_last):
    for number in numbers:
        chunks.load(number)
        if number != keep_last:
            chunks.drop(number)


def run(chunks):
    epoch = 0
    while True:
        numbers = range(epoch % 7, epoch % 7 + 8)
        read_epoch(chunks, numbers, keep_last=numbers[-1])
        chunks.drop(numbers[-1])
        epoch += 1


FORGETS = False


if __name__ == "__main__":
    chunks = Chunks(tempfile.mkdtemp(prefix="chunks-"))
    threading.Thread(target=chunks.fetch_all, name="fetcher", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run(chunks)
