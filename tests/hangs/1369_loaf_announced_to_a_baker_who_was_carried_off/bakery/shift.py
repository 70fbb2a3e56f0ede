import os
import threading
import time

from bakery.oven import Counter, Oven, ctx


class Till(threading.Thread):
    def __init__(self, sold):
        super().__init__(name="till", daemon=True)
        self.sold = sold
        self.seen = []

    def run(self):
        while True:
            self.seen.append(self.sold.value)
            del self.seen[:-10]
            time.sleep(0.5)


class Shift:
    def __init__(self, names):
        self.oven = Oven()
        self.sold = ctx.Value("i", 0)
        self.counters = [Counter(self.oven, self.sold, name) for name in names]

    def open(self):
        for counter in self.counters:
            counter.start()
        Till(self.sold).start()
        time.sleep(1)

    def send_home(self, counter):
        counter.kill()
        counter.join()

    def night(self, leavers, pause):
        self.open()
        for counter in self.counters[:leavers]:
            self.send_home(counter)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            self.oven.bake(1)
            time.sleep(pause)
