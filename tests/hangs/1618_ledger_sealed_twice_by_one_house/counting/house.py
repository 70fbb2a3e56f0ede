import time


class Cashier:
    def __init__(self, ledger):
        self.ledger = ledger
        self.booked = 0

    def work(self):
        while True:
            with self.ledger.seal():
                self.ledger.write("cash", self.ledger.read("cash") + 1)
            self.booked += 1
            time.sleep(0.3)


class Auditor:
    def __init__(self, ledger, clerks, inside):
        self.ledger = ledger
        self.clerks = clerks
        self.inside = inside
        self.found = []

    def count(self, name):
        with self.ledger.seal():
            return self.ledger.read(name)

    def check(self, names):
        counts = [self.clerks.submit(self.count, name) for name in names]
        return sum(count.result() for count in counts)

    def year(self):
        while True:
            time.sleep(0.5)
            if self.inside:
                with self.ledger.seal():
                    total = self.check(["cash", "debts", "stock"])
                    self.ledger.write("year", total)
            else:
                total = self.check(["cash", "debts", "stock"])
            self.found.append(total)
            del self.found[:-20]
