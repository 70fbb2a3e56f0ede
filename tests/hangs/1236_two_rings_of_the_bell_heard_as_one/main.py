import os
import threading
import time
from collections import deque

FLAGS = os.EFD_CLOEXEC


class Rider(threading.Thread):
    def __init__(self):
        super().__init__(name="rider", daemon=True)
        self.bell = os.eventfd(0, FLAGS)
        self.bag = deque()
        self.home = threading.Event()

    def hand_in(self, parcel):
        self.bag.append(parcel)
        os.eventfd_write(self.bell, 1)

    def ride(self):
        os.eventfd_read(self.bell)
        self.bag.popleft()
        time.sleep(0.05)
        if not self.bag:
            self.home.set()

    def run(self):
        while True:
            self.ride()


class Office:
    def __init__(self):
        self.rider = Rider()
        self.rider.start()

    def deliver(self, parcels):
        self.rider.home.clear()
        for parcel in parcels:
            self.rider.hand_in(parcel)
        self.rider.home.wait()


if __name__ == "__main__":
    office = Office()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.deliver(range(4))
