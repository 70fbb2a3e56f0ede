import os
import sys
import threading
import time


def line_of(name, count):
    return "%s: %d" % (name, count)


class Meter:
    def __init__(self):
        self.guard = threading.Lock()
        self.counts = {}

    def on_event(self, frame, event, argument):
        if event != "call":
            return
        name = frame.f_code.co_name
        with self.guard:
            self.counts[name] = self.counts.get(name, 0) + 1

    def snapshot(self):
        with self.guard:
            return dict(self.counts)

    def report(self):
        if COPIED:
            counts = self.snapshot()
            return [line_of(name, count) for name, count in counts.items()]
        with self.guard:
            return [line_of(name, count) for name, count in self.counts.items()]


class Mill:
    def __init__(self, meter):
        self.meter = meter
        self.ground = 0

    def grind(self):
        self.ground += 1
        time.sleep(0.01)

    def day(self):
        for _ in range(5):
            self.grind()
        return self.meter.report()


COPIED = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    meter = Meter()
    mill = Mill(meter)
    sys.setprofile(meter.on_event)
    while True:
        mill.day()
