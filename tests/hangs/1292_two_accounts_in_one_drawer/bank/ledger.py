import threading
from contextlib import ExitStack


class Drawers:
    """A few locks for many accounts."""

    def __init__(self, count):
        self._locks = [threading.Lock() for _ in range(count)]

    def of(self, number):
        return self._locks[number % len(self._locks)]


class Ledger:
    def __init__(self, drawers):
        self.drawers = drawers
        self.balances = dict.fromkeys(range(100), 1000)
        self.booked = 0

    def balance(self, number):
        with self.drawers.of(number):
            return self.balances[number]

    def deposit(self, number, amount):
        with self.drawers.of(number):
            self.balances[number] += amount
            self.booked += 1

    def transfer(self, source, target, amount):
        first, second = sorted((source, target))
        with ExitStack() as kept:
            kept.enter_context(self.drawers.of(first))
            kept.enter_context(self.drawers.of(second))
            self.balances[source] -= amount
            self.balances[target] += amount
            self.booked += 1
