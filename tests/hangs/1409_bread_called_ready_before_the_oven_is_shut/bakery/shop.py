import os
import threading
import time

from bakery.oven import Oven, Probe


class Till:
    def __init__(self):
        self.lock = threading.Lock()
        self.sold = {}

    def sell(self, what):
        with self.lock:
            self.sold[what] = self.sold.get(what, 0) + 1


class Counter(threading.Thread):
    def __init__(self, name, till):
        super().__init__(name=name, daemon=True)
        self.till = till

    def run(self):
        while True:
            self.till.sell("roll")
            time.sleep(0.4)


class Baker(threading.Thread):
    def __init__(self, oven):
        super().__init__(name="baker")
        self.oven = oven

    def bake(self):
        self.oven.send("fire")
        while not self.oven.baking.is_active:
            time.sleep(0.02)
        time.sleep(0.1)
        self.oven.send("take_out")
        self.oven.send("rest")

    def run(self):
        while True:
            self.bake()


def open_shop(patient):
    till = Till()
    for name in ("counter-left", "counter-right"):
        Counter(name, till).start()
    probe = Probe()
    probe.start()
    baker = Baker(Oven(probe, patient))
    baker.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    baker.join()
