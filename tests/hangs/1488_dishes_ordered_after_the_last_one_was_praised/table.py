import logging
import queue

from kitchen import Kitchen, Radio

log = logging.getLogger("table")


class Table:
    """Orders the next dish when it liked one of the last."""

    def __init__(self, kitchen, first):
        self.kitchen = kitchen
        self.opinions = queue.Queue()
        self.first = first
        self.eaten = 0

    def wishes(self):
        for number in range(self.first):
            yield "soup %d" % number
        while True:
            opinion = self.opinions.get()
            if opinion == "enough":
                return
            yield "more like " + opinion

    def taste(self, plate):
        self.eaten += 1
        self.opinions.put(plate.lower() if self.eaten < 50000 else "enough")

    def dine(self):
        for plate in self.kitchen.serve_all(self.wishes()):
            self.taste(plate)


class OneByOne(Table):
    def dine(self):
        for wish in self.wishes():
            for plate in self.kitchen.serve_all([wish]):
                self.taste(plate)


def run(kind):
    Radio().start()
    table = {"all": Table, "one": OneByOne}[kind](Kitchen(3), 2)
    table.dine()
    log.info("%d dishes", table.eaten)
