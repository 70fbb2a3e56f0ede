import os
import threading

from psygnal import Signal

HELD = True


class Ledger:
    changed = Signal(str, int)

    def __init__(self):
        self.rows = {}
        self.guard = threading.Lock()

    def book(self, name, amount):
        if HELD:
            with self.guard:
                self.rows[name] = amount
                self.changed.emit(name, amount)
        else:
            with self.guard:
                self.rows[name] = amount
            self.changed.emit(name, amount)

    def total(self):
        with self.guard:
            return sum(self.rows.values())


class Clerk(threading.Thread):
    def __init__(self, ledger):
        super().__init__(name="clerk", daemon=True)
        self.ledger = ledger

    def run(self):
        while True:
            self.ledger.book("tea", 3)


class Board:
    def __init__(self, ledger):
        self.ledger = ledger
        self.shown = None
        ledger.changed.connect(self.show)

    def show(self, name, amount):
        self.shown = self.ledger.total()


def main():
    ledger = Ledger()
    board = Board(ledger)
    clerk = Clerk(ledger)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    clerk.start()
    clerk.join()
    print(board.shown)


if __name__ == "__main__":
    main()
