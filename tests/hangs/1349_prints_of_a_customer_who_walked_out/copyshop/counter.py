import threading
import time
from concurrent.futures import wait

from copyshop.bench import expose


class Order:
    def __init__(self, customer, sheets):
        self.customer = customer
        self.sheets = sheets
        self.prints = []


class Counter:
    def __init__(self, bench):
        self.bench = bench
        self.orders = []
        self.served = 0

    def accept(self, order):
        order.prints = [self.bench.submit(expose, name, 2) for name in order.sheets]
        self.orders.append(order)

    def withdraw(self, customer):
        for order in self.orders:
            if order.customer == customer:
                for one in order.prints:
                    one.cancel()

    def settle(self):
        for order in self.orders:
            done, _ = wait(order.prints)
            self.served += len(done)
        return self.served


class Door(threading.Thread):
    def __init__(self, counter, leaving):
        super().__init__(name="door", daemon=True)
        self.counter = counter
        self.leaving = leaving

    def run(self):
        for after, customer in self.leaving:
            time.sleep(after)
            self.counter.withdraw(customer)


class Meter(threading.Thread):
    def __init__(self, bench):
        super().__init__(name="meter", daemon=True)
        self.bench = bench
        self.waiting = []

    def run(self):
        while True:
            self.waiting = [*self.waiting[-50:], self.bench.sheets.qsize()]
            time.sleep(0.5)
