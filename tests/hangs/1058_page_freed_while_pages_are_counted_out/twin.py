import collections
import os
import threading


class AddressManager:
    def __init__(self, count):
        self.lock = threading.Lock()
        self.free_blocks = collections.deque(range(count))

    def allocate(self, count):
        with self.lock:
            return [Page(self, self.free_blocks.popleft(), {}) for _ in range(count)]

    def free(self, block):
        with self.lock:
            self.free_blocks.append(block)


class Page:
    def __init__(self, manager, block, tags):
        self.manager = manager
        self.block = block
        self.tags = tags

    def __del__(self):
        self.manager.free(self.block)


class Upload:
    def __init__(self, page):
        self.page = page
        self.failure = None

    def run(self, number):
        try:
            self.write(number)
        except OSError as error:
            self.failure = error

    def write(self, number):
        if number % 5 == FULL:
            raise OSError(28, "No space left on device")


def store_batches(manager):
    number = 0
    while True:
        for page in manager.allocate(512):
            Upload(page).run(number)
            number += 1


FULL = 7


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    store_batches(AddressManager(100000))
