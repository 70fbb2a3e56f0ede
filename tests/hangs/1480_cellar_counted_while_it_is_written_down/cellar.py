import logging
import queue
import shelve
import tempfile
import threading
import time

from bottles import Rack

log = logging.getLogger("cellar")


class Cellar:
    def __init__(self, path, safe):
        self.safe = safe
        self.racks = {wine: Rack(wine) for wine in ("red", "white", "rose")}
        self.book = shelve.open(path, writeback=True)

    def write_down(self, rack):
        self.book[rack.wine] = rack
        self.book.sync()

    def serve(self, wine):
        rack = self.racks[wine]
        rack.take()
        if self.safe:
            with rack.guard:
                self.write_down(rack)
        else:
            self.write_down(rack)


class Steward(threading.Thread):
    """The only one who touches the book."""

    def __init__(self, cellar, orders):
        super().__init__(name="steward", daemon=True)
        self.cellar = cellar
        self.orders = orders

    def run(self):
        while True:
            wine, served = self.orders.get()
            self.cellar.serve(wine)
            served.set()


class Guest(threading.Thread):
    def __init__(self, name, wine, orders):
        super().__init__(name=name, daemon=True)
        self.wine = wine
        self.orders = orders

    def drink(self):
        served = threading.Event()
        self.orders.put((self.wine, served))
        served.wait()

    def run(self):
        while True:
            time.sleep(0.2)
            self.drink()


def run(safe):
    orders = queue.Queue()
    cellar = Cellar(tempfile.mkdtemp() + "/book", safe)
    Steward(cellar, orders).start()
    guests = [Guest("guest-%d" % n, wine, orders) for n, wine in enumerate(cellar.racks)]
    for guest in guests:
        guest.start()
    for guest in guests:
        guest.join()
