import time


class Stock:
    def __init__(self, gate):
        self.gate = gate
        self.shelves = {number: number % 5 for number in range(12)}
        self.blinks = 0

    def blink(self):
        while True:
            self.blinks += 1
            time.sleep(0.3)


class Report:
    def __init__(self, stock, hands):
        self.stock = stock
        self.hands = hands
        self.totals = []

    def count(self, shelf):
        self.stock.gate.enter_read()
        try:
            time.sleep(0.002)
            return self.stock.shelves[shelf]
        finally:
            self.stock.gate.leave_read()

    def sum_up(self):
        self.stock.gate.enter_read()
        try:
            parts = []
            for shelf in sorted(self.stock.shelves):
                parts.append(self.hands.submit(self.count, shelf).result())
            return sum(parts)
        finally:
            self.stock.gate.leave_read()

    def work(self):
        while True:
            self.totals.append(self.sum_up())
            del self.totals[:-5]
            time.sleep(0.01)


class Delivery:
    def __init__(self, stock):
        self.stock = stock
        self.number = 0

    def store(self):
        self.stock.gate.enter_write()
        try:
            self.number += 1
            self.stock.shelves[self.number % 12] += 1
        finally:
            self.stock.gate.leave_write()

    def work(self):
        while True:
            self.store()
            time.sleep(0.015)
