import threading
import time
from contextlib import contextmanager


@contextmanager
def reading(shelves):
    shelves.acquire_read()
    try:
        yield
    finally:
        shelves.release()


@contextmanager
def writing(shelves):
    shelves.acquire_write()
    try:
        yield
    finally:
        shelves.release()


class Members:
    def __init__(self):
        self.lock = threading.Lock()
        self.debts = {}

    def charge(self, name, sum):
        with self.lock:
            time.sleep(0.002)
            self.debts[name] = self.debts.get(name, 0) + sum


class Loans:
    def __init__(self, shelves, members):
        self.shelves = shelves
        self.members = members
        self.lent = 0

    def lend(self, name):
        with reading(self.shelves):
            time.sleep(0.01)
            self.members.charge(name, 2)
            self.lent += 1

    def work(self):
        while True:
            self.lend("reader %d" % (self.lent % 9))
            time.sleep(0.005)


class Desk:
    def __init__(self, shelves, members, inside):
        self.shelves = shelves
        self.members = members
        self.inside = inside
        self.moves = 0

    def rewrite(self):
        with writing(self.shelves):
            time.sleep(0.005)
            self.moves += 1

    def move(self):
        if self.inside:
            with self.members.lock:
                self.members.debts.clear()
                self.rewrite()
        else:
            with self.members.lock:
                self.members.debts.clear()
            self.rewrite()

    def work(self):
        while True:
            self.move()
            time.sleep(0.03)


class Hall:
    def __init__(self, shelves):
        self.shelves = shelves
        self.looks = 0
        self.minutes = 0

    def look(self):
        with reading(self.shelves):
            self.looks += 1
            time.sleep(0.003)

    def work(self):
        while True:
            self.look()
            time.sleep(0.02)

    def clock(self):
        while True:
            time.sleep(0.4)
            self.minutes += 1
