import os
import threading
import time

from more_executors import Executors
from more_executors.retry import ExceptionRetryPolicy

TOWNS = ("Ulm", "Bonn", "Trier")


class Depot:
    def __init__(self):
        self.attempts = 0
        self.guard = threading.Lock()

    def deliver(self, town):
        with self.guard:
            self.attempts += 1
            attempt = self.attempts
        if attempt % 2:
            raise ConnectionError("nobody at home in " + town)
        return town, attempt


class Round:
    def __init__(self, depot):
        self.depot = depot
        self.kept = []

    def hire(self):
        policy = ExceptionRetryPolicy(5, 2.0, 0.2, 0.5, Exception)
        return Executors.sync().with_retry(retry_policy=policy)

    def send(self, town):
        return self.hire().submit(self.depot.deliver, town)

    def drive(self):
        return [self.arrived(town) for town in TOWNS]

    def arrived(self, town):
        delivery = self.send(town)
        return delivery.result()


def main():
    depot = Depot()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Round(depot).drive()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
