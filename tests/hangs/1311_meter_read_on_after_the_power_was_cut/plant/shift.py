import threading
import time

from plant.meter import Meter


class Horn(threading.Thread):
    def __init__(self):
        super().__init__(name="horn", daemon=True)
        self.blown = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.blown += 1


def shifts(script, readings, ends):
    Horn().start()
    while True:
        meter = Meter(script, readings, ends)
        meter.start()
        meter.finished.wait()
        meter.child.wait()
        time.sleep(0.05)
