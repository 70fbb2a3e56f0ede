"""In a worker of pytest-xdist: a thread takes a lock twice."""

import threading


class Account:
    def __init__(self):
        self.lock = threading.Lock()
        self.balance = 0

    def deposit(self, amount):
        with self.lock:
            self.balance += amount

    def interest(self):
        with self.lock:
            self.deposit(1)


def test_before():
    pass


def test_interest():
    Account().interest()


def test_after():
    pass
