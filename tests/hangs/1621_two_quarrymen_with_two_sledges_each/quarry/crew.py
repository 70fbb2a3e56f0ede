import threading
import time


class Whistle:
    def __init__(self):
        self.blown = 0
        self.totals = []

    def hours(self):
        while True:
            self.blown += 1
            time.sleep(0.3)

    def report(self, total):
        self.totals.append(total)
        del self.totals[:-10]


class Crew(threading.Thread):
    def __init__(self, shed, whistle, name, sledges):
        super().__init__(name=name, daemon=True)
        self.shed = shed
        self.whistle = whistle
        self.sledges = sledges
        self.blocks = 0

    def haul(self):
        time.sleep(0.05)
        self.blocks += 1

    def run(self):
        while True:
            self.shed.borrow(self.sledges)
            try:
                self.haul()
            finally:
                self.shed.give_back(self.sledges)
