import os
import queue
import signal
import time
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)


class SortingOffice:
    def __init__(self, sorters):
        self.inbox = queue.Queue()
        self.sorters = ThreadPoolExecutor(sorters, thread_name_prefix="sorter")
        self.boxes = {}

    def take_in(self, letters):
        for letter in letters:
            self.inbox.put(letter)

    def sort_one(self, letter):
        self.boxes.setdefault(letter[0], []).append(letter)
        return len(letter)

    def sort_all(self):
        self.inbox.put(None)
        weights = self.sorters.map(self.sort_one, iter(self.inbox.get, None))
        return sum(weights)


if __name__ == "__main__":
    office = SortingOffice(3)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.take_in(["Anna", "Bert", "Carl", "Adam"])
        office.sort_all()
        office.boxes.clear()
        time.sleep(0.01)
