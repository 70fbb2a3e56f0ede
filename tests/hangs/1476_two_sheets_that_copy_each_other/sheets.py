import logging
import random
import threading
import time

import traitlets

log = logging.getLogger("sheets")


class Sheet(traitlets.HasTraits):
    total = traitlets.Int(0)
    mirrored = traitlets.Int(0)

    def __init__(self, title):
        super().__init__()
        self.title = title
        self.partner = None
        self.page = threading.RLock()

    def receive(self, number):
        with self.page:
            self.mirrored = number

    @traitlets.observe("total")
    def pass_on(self, change):
        time.sleep(0.02)
        if self.partner is not None:
            self.partner.receive(change["new"])

    def book(self, amount):
        with self.page:
            self.total += amount


class Accountant(threading.Thread):
    def __init__(self, name, sheet, pause):
        super().__init__(name=name, daemon=True)
        self.sheet = sheet
        self.pause = pause

    def run(self):
        while True:
            self.sheet.book(random.randint(1, 9))
            time.sleep(self.pause)


class Printer(threading.Thread):
    def __init__(self, sheets):
        super().__init__(name="printer", daemon=True)
        self.sheets = sheets

    def run(self):
        while True:
            time.sleep(1)
            log.info("%s", [sheet.total for sheet in self.sheets])


def run(both):
    income, costs = Sheet("income"), Sheet("costs")
    income.partner = costs
    if both:
        costs.partner = income
    Printer([income, costs]).start()
    people = [Accountant("anna", income, 0.01), Accountant("bert", costs, 0.013)]
    for one in people:
        one.start()
    for one in people:
        one.join()
