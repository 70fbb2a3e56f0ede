import os
import queue
import threading
import time

from garden.timer import Interval


class Sprinkler(threading.Thread):
    def __init__(self, beds, interval):
        super().__init__(name="sprinkler", daemon=True)
        self.beds = beds
        self.interval = interval

    def water(self, times):
        for bed in ("roses", "beans", "herbs"):
            self.beds.put((bed, times))

    def run(self):
        self.interval.start()
        while True:
            self.water(self.interval.next())


class Mole(threading.Thread):
    def __init__(self):
        super().__init__(name="mole", daemon=True)
        self.hills = 0

    def run(self):
        while True:
            self.hills += 1
            time.sleep(0.5)


class Journal:
    def __init__(self, beds):
        self.beds = beds
        self.liters = {}

    def note_next(self):
        bed, times = self.beds.get()
        self.liters[bed] = self.liters.get(bed, 0) + 3 * times


def summer(at_once):
    beds = queue.Queue()
    Mole().start()
    Sprinkler(beds, Interval(0.3, at_once)).start()
    journal = Journal(beds)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        journal.note_next()
