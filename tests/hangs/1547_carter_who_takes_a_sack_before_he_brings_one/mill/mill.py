import queue
import threading
import time

from more_itertools import serialize


class Grist:
    """Sacks of corn as they come, shared by all who grind."""

    def __init__(self):
        self.cart = queue.Queue(maxsize=4)
        self.sacks = serialize(self.unload())

    def unload(self):
        while True:
            sack = self.cart.get()
            if sack is None:
                return
            yield sack


class Miller(threading.Thread):
    def __init__(self, name, grist):
        super().__init__(name=name, daemon=True)
        self.grist = grist
        self.ground = 0

    def run(self):
        for sack in self.grist.sacks:
            time.sleep(0.05)
            self.ground += sack


class Carter(threading.Thread):
    """Brings corn, and takes a sack back when the cart is too heavy."""

    def __init__(self, grist, thrifty):
        super().__init__(name="carter", daemon=True)
        self.grist = grist
        self.thrifty = thrifty
        self.kept = 0

    def load(self, number):
        if self.thrifty and number % 5 == 4:
            self.kept += next(self.grist.sacks)
        self.grist.cart.put(number)

    def run(self):
        number = 0
        while True:
            time.sleep(0.15)
            self.load(number)
            number += 1


class Wheel(threading.Thread):
    def __init__(self):
        super().__init__(name="wheel", daemon=True)
        self.turns = 0

    def run(self):
        while True:
            time.sleep(0.2)
            self.turns += 1
