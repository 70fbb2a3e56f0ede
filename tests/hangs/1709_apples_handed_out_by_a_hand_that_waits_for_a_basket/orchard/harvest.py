import queue
import threading
import time

from more_itertools import serialize


class Orchard:
    def __init__(self, baskets):
        self.baskets = queue.Queue()
        for number in range(baskets):
            self.baskets.put("basket-%d" % number)

    def pick(self):
        apples = 0
        while True:
            basket = self.baskets.get()
            apples += 12
            yield basket, apples

    def stream(self):
        return serialize(self.pick())


class Sorter(threading.Thread):
    def __init__(self, name, orchard, stream):
        super().__init__(name=name, daemon=True)
        self.orchard = orchard
        self.stream = stream
        self.sorted = 0

    def run(self):
        basket, _ = next(self.stream)
        while True:
            time.sleep(0.3)
            self.sorted += 1
            following, _ = next(self.stream)
            self.orchard.baskets.put(basket)
            basket = following


class Wagon(threading.Thread):
    def __init__(self, sorters):
        super().__init__(name="wagon", daemon=True)
        self.sorters = sorters
        self.tally = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.tally = sum(sorter.sorted for sorter in self.sorters)
