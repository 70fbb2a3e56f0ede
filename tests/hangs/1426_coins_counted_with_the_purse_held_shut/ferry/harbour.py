import os
import queue
import threading
import time

from ferry.quota import Quota


class Refill(threading.Thread):
    def __init__(self, quota):
        super().__init__(name="refill", daemon=True)
        self.quota = quota

    def run(self):
        while True:
            time.sleep(0.5)
            self.quota.refill()


class Ferry(threading.Thread):
    def __init__(self, name, quota, cars):
        super().__init__(name=name, daemon=True)
        self.quota = quota
        self.cars = cars
        self.crossings = 0

    def cross(self, car):
        self.quota.spend(len(car) % 4 + 1)
        time.sleep(0.01)
        self.crossings += 1

    def run(self):
        while True:
            self.cross(self.cars.get())


class Gull(threading.Thread):
    def __init__(self):
        super().__init__(name="gull", daemon=True)
        self.cries = 0

    def run(self):
        while True:
            self.cries += 1
            time.sleep(0.4)


def harbour(polite):
    quota = Quota(20, polite)
    cars = queue.Queue(10)
    Gull().start()
    Refill(quota).start()
    for name in ("north", "south"):
        Ferry(name, quota, cars).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        number += 1
        cars.put("car-%d" % number)
