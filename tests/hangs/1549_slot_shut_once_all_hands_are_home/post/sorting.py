import queue
import threading
import time
from multiprocessing.pool import ThreadPool


class Sorting:
    """Letters as they come in by the slot, sorted by a few hands."""

    def __init__(self, hands):
        self.slot = queue.Queue()
        self.pool = ThreadPool(hands)
        self.boxes = {}

    def incoming(self):
        while True:
            letter = self.slot.get()
            if letter is None:
                return
            yield letter

    def sort(self, letter):
        time.sleep(0.02)
        return letter % 7, letter

    def begin(self):
        self.sorted = self.pool.imap_unordered(self.sort, self.incoming())

    def take(self, count):
        for _ in range(count):
            street, letter = next(self.sorted)
            self.boxes.setdefault(street, []).append(letter)

    def finish(self, empty_first):
        if empty_first:
            self.slot.put(None)
        self.pool.close()
        self.pool.join()
        if not empty_first:
            self.slot.put(None)


class Walker(threading.Thread):
    """Brings the letters of one round."""

    def __init__(self, name, sorting, letters):
        super().__init__(name=name, daemon=True)
        self.sorting = sorting
        self.letters = letters

    def run(self):
        for letter in self.letters:
            time.sleep(0.01)
            self.sorting.slot.put(letter)


class Stove(threading.Thread):
    def __init__(self):
        super().__init__(name="stove", daemon=True)
        self.coal = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.coal += 1
