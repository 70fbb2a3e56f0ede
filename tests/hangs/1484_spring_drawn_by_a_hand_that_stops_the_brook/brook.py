import logging
import threading
import time

from well import Well

log = logging.getLogger("brook")


class Brook(threading.Thread):
    def __init__(self, well):
        super().__init__(name="brook", daemon=True)
        self.well = well
        self.litres = 0

    def flow(self):
        time.sleep(0.1)
        self.well.pour(b"w" * 16)
        self.litres += 16

    def run(self):
        while True:
            self.flow()


class Gardener:
    def __init__(self, well):
        self.well = well
        self.watered = 0

    def water_bed(self):
        self.watered += len(self.well.draw())

    def work(self):
        while True:
            self.water_bed()


class Heron(threading.Thread):
    def __init__(self):
        super().__init__(name="heron", daemon=True)

    def run(self):
        while True:
            time.sleep(0.7)


def run(quick):
    well = Well(quick)
    Heron().start()
    Brook(well).start()
    time.sleep(1)
    Gardener(well).work()
