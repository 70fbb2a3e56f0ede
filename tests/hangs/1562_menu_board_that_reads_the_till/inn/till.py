import queue
import threading
import time


class Till:
    def __init__(self):
        self.lock = threading.RLock()
        self.orders = queue.Queue(maxsize=10)
        self.sum = 0
        self.ring = None

    def total(self):
        with self.lock:
            return self.sum

    def sell(self, dish, price):
        with self.lock:
            time.sleep(0.002)
            self.sum += price
            print("sold %s" % dish)
        self.ring()

    def work(self):
        while True:
            self.sell(*self.orders.get())


class Customers(threading.Thread):
    def __init__(self, till):
        super().__init__(name="customers", daemon=True)
        self.till = till

    def run(self):
        number = 0
        while True:
            number += 1
            self.till.orders.put(("soup %d" % number, 3 + number % 4))
            time.sleep(0.01)
