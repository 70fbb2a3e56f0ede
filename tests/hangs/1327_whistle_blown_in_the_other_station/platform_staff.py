import multiprocessing
import threading
import time

WHISTLE = multiprocessing.get_context("spawn").Event()


def drive(number, whistle, log):
    signal = whistle if whistle is not None else WHISTLE
    trip = 0
    signal.wait()
    while True:
        trip += 1
        log.put((number, trip))
        time.sleep(0.3)


class Station:
    def __init__(self, shared):
        self.context = multiprocessing.get_context("spawn")
        self.log = self.context.Queue()
        self.whistle = WHISTLE if shared else None
        self.trains = [
            self.context.Process(
                target=drive, args=(number, self.whistle, self.log), name="train-%d" % number
            )
            for number in range(2)
        ]
        self.trips = {}

    def open(self):
        for train in self.trains:
            train.start()
        time.sleep(0.5)
        WHISTLE.set()

    def record(self):
        number, trip = self.log.get()
        self.trips[number] = trip

    def run(self):
        self.open()
        while True:
            self.record()


class Announcer(threading.Thread):
    def __init__(self):
        super().__init__(name="announcer", daemon=True)
        self.calls = 0

    def run(self):
        while True:
            self.calls += 1
            time.sleep(0.6)
