import threading
import time


class Shed:
    """Sledges that are lent to crews, several for one block."""

    def __init__(self, count, one_by_one):
        self.free = threading.Semaphore(count)
        self.counter = threading.Lock()
        self.one_by_one = one_by_one

    def borrow(self, count):
        if self.one_by_one:
            self.fetch(count)
            return
        with self.counter:
            self.fetch(count)

    def fetch(self, count):
        for _ in range(count):
            self.free.acquire()
            time.sleep(0.05)

    def give_back(self, count):
        for _ in range(count):
            self.free.release()
