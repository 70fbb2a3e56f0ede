import itertools
import threading
import time


class Guide:
    """Shows some pages of the catalogue to visitors."""

    def __init__(self, catalogue, wanted):
        self.catalogue = catalogue
        self.wanted = wanted
        self.tours = {}

    def begin(self, visitor):
        pages = self.catalogue.pages(5)
        self.tours[visitor] = pages
        return [page[0] for page in itertools.islice(pages, self.wanted)]

    def end(self, visitor):
        self.tours.pop(visitor).close()


class Restorer(threading.Thread):
    def __init__(self, catalogue):
        super().__init__(name="restorer", daemon=True)
        self.catalogue = catalogue

    def run(self):
        for number in itertools.count():
            time.sleep(0.1)
            self.catalogue.add("study %d" % number)


class Registrar(threading.Thread):
    def __init__(self, catalogue):
        super().__init__(name="registrar", daemon=True)
        self.catalogue = catalogue

    def run(self):
        for number in itertools.count():
            time.sleep(0.12)
            self.catalogue.lend("picture %d" % (number % 40), "house %d" % (number % 3))


class Humidity(threading.Thread):
    def __init__(self):
        super().__init__(name="humidity", daemon=True)
        self.percent = 50

    def run(self):
        while True:
            time.sleep(0.3)
            self.percent = 45 + self.percent % 10


def opening_hours(guide, closing):
    for number in itertools.count():
        visitor = "visitor %d" % number
        guide.begin(visitor)
        time.sleep(0.05)
        if closing:
            guide.end(visitor)
