from gevent import monkey

monkey.patch_all()

import os
import signal
import threading
import time

signal.alarm(120)


class Bakery:
    def __init__(self):
        self.hot = threading.Event()
        self.breads = 0

    def bake(self):
        self.hot.wait()
        while True:
            self.breads += 1
            time.sleep(0.2)

    def heat(self):
        time.sleep(0.5)
        self.hot.set()


def open_bakery():
    bakery = Bakery()
    baker = threading.Thread(target=bakery.bake, name="baker")
    baker.start()
    bakery.heat()
    baker.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_bakery()
