import queue
import threading
import time

from customs.forms import Declaration, assessed


class Officer(threading.Thread):
    def __init__(self, number, tray):
        super().__init__(name="officer-%d" % number, daemon=True)
        self.tray = tray
        self.ledger = []

    def examine(self, form):
        form = assessed(form)
        self.ledger.append((form.owner, form.duty))
        self.ledger = self.ledger[-40:]
        time.sleep(0.05)
        form.stamped.set()

    def run(self):
        while True:
            self.examine(self.tray.get())


class Carrier(threading.Thread):
    def __init__(self, name, tray, values):
        super().__init__(name=name)
        self.tray = tray
        self.values = values
        self.passed = 0

    def declare(self, value):
        form = Declaration(self.name, "tea", value)
        self.tray.put(form)
        form.stamped.wait()
        self.passed += 1

    def run(self):
        for value in self.values:
            self.declare(value)
            time.sleep(0.1)


class Harbour:
    def __init__(self, officers):
        self.tray = queue.Queue()
        self.officers = [Officer(number, self.tray) for number in range(officers)]
        for officer in self.officers:
            officer.start()

    def open(self, cargo):
        carriers = [Carrier(name, self.tray, values) for name, values in cargo.items()]
        for carrier in carriers:
            carrier.start()
        return carriers
