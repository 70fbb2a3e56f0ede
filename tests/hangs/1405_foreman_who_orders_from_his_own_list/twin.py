import os
import queue
import threading
import time


class Foreman(threading.Thread):
    def __init__(self):
        super().__init__(name="foreman", daemon=True)
        self.orders = queue.Queue()

    def run(self):
        while True:
            name, ready = self.orders.get()
            if name == "roof" and FROM_OWN_LIST:
                self.order("beams")
            time.sleep(0.02)
            ready.set()

    def order(self, name):
        ready = threading.Event()
        self.orders.put((name, ready))
        ready.wait()


def beat():
    beaten = 0
    while True:
        beaten += 1
        time.sleep(0.2)


FROM_OWN_LIST = False


def build():
    foreman = Foreman()
    foreman.start()
    threading.Thread(target=beat, name="beat", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for name in ("walls", "floor", "roof"):
            foreman.order(name)
            time.sleep(0.1)


if __name__ == "__main__":
    build()
