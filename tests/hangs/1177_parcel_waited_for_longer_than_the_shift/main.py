import os
import queue
import threading
import time

from stopit import ThreadingTimeout


class Carrier(threading.Thread):
    def __init__(self, depot, parcels):
        super().__init__(name="carrier", daemon=True)
        self.depot = depot
        self.parcels = parcels

    def drive(self, parcel):
        time.sleep(0.1)
        self.depot.put(parcel)

    def run(self):
        for parcel in self.parcels:
            self.drive(parcel)


class Sorter:
    def __init__(self, depot, patience):
        self.depot = depot
        self.patience = patience
        self.sorted = {}
        self.late = 0

    def take(self):
        with ThreadingTimeout(self.patience) as limit:
            parcel = self.depot.get()
            self.sorted.setdefault(parcel % 7, []).append(parcel)
        if limit.state == limit.TIMED_OUT:
            self.late += 1
        return limit.state

    def work(self):
        while True:
            self.take()


def endless():
    number = 0
    while True:
        yield number
        number += 1


PARCELS = range(8)


if __name__ == "__main__":
    depot = queue.Queue()
    Carrier(depot, PARCELS).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Sorter(depot, 2).work()
