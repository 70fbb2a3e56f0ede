import os
import signal
import time

from bakery import Bakery

signal.alarm(120)


class RealBakery(Bakery):
    def __init__(self):
        super().__init__()
        self.baked = self.houses.Event()

    def bake(self):
        while True:
            time.sleep(0.5)
            self.baked.set()

    def open(self):
        oven = self.houses.Process(target=self.bake, name="oven", daemon=True)
        oven.start()
        while True:
            self.baked.wait()
            self.baked.clear()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    RealBakery().open()
