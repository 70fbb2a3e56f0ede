import threading
import time


class Book:
    def __init__(self):
        self.lock = threading.RLock()
        self.litres = {}
        self.pages = 0

    def enter(self, farm, litres):
        with self.lock:
            self.litres[farm] = self.litres.get(farm, 0) + litres

    def total(self):
        with self.lock:
            return sum(self.litres.values())


class Clerk(threading.Thread):
    def __init__(self, orders):
        super().__init__(name="clerk", daemon=True)
        self.orders = orders
        self.written = 0

    def run(self):
        while True:
            self.orders.get()
            self.written += 1


class Churn(threading.Thread):
    def __init__(self):
        super().__init__(name="churn", daemon=True)
        self.turns = 0

    def run(self):
        while True:
            self.turns += 1
            time.sleep(0.2)


def measure(farm, cans):
    litres = 0
    for can in range(cans):
        litres += 20 + (farm * 7 + can) % 11
    time.sleep(0.02)
    return litres
