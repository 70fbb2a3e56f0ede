import threading
import time

from scales.link import Ticket


class Ledger:
    def __init__(self):
        self.guard = threading.Lock()
        self.entries = []

    def add(self, weight):
        with self.guard:
            self.entries.append(weight)
            return len(self.entries)

    def total(self):
        with self.guard:
            return sum(self.entries)


class Clerk(threading.Thread):
    def __init__(self, line, ledger):
        super().__init__(name="clerk")
        self.line = line
        self.ledger = ledger

    def weigh(self):
        weight = self.line.reading()
        number = self.ledger.add(weight)
        self.line.print_ticket(Ticket(number, weight))

    def run(self):
        while True:
            self.weigh()


class Board(threading.Thread):
    def __init__(self, ledger):
        super().__init__(name="board", daemon=True)
        self.ledger = ledger
        self.shown = 0

    def run(self):
        while True:
            self.shown = self.ledger.total()
            time.sleep(1)
