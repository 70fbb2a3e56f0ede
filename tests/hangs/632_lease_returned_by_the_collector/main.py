import gc
import os
import signal
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)

gc.set_threshold(50)


class Office:
    def __init__(self):
        self.executor = ThreadPoolExecutor(2)
        self.returned = 0

    def give_back(self, number):
        self.returned += 1
        return number

    def count(self, number):
        return number % 7


class Lease:
    def __init__(self, office, number):
        self.office = office
        self.number = number
        self.car = {"number": number, "lease": self}

    def __del__(self):
        self.office.executor.submit(self.office.give_back, self.number)


def rent_out(office, number):
    lease = Lease(office, number)
    return office.executor.submit(office.count, lease.number).result()


def run_day(office, cars):
    return sum(rent_out(office, number) for number in range(cars))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office = Office()
    while True:
        run_day(office, 1000)
