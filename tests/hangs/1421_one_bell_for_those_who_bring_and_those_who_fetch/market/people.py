import os
import threading
import time

from market.stand import Stand


class Farmer(threading.Thread):
    def __init__(self, name, stand):
        super().__init__(name=name)
        self.stand = stand
        self.picked = 0

    def run(self):
        while True:
            self.picked += 1
            self.stand.bring((self.name, self.picked))


class Buyer(threading.Thread):
    def __init__(self, name, stand):
        super().__init__(name=name)
        self.stand = stand
        self.bought = []

    def run(self):
        while True:
            self.bought = [*self.bought[-5:], self.stand.fetch()]


class Weather(threading.Thread):
    def __init__(self):
        super().__init__(name="weather", daemon=True)
        self.changed = 0

    def run(self):
        while True:
            time.sleep(0.6)
            self.changed += 1


def market(loud):
    stand = Stand(1, loud)
    people = [Farmer("farmer-%d" % number, stand) for number in range(4)]
    people += [Buyer("buyer-%d" % number, stand) for number in range(4)]
    Weather().start()
    for one in people:
        one.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for one in people:
        one.join()
