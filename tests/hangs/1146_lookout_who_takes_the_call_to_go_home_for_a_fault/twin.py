import os

import gevent
from gevent.queue import Queue


class Lookout:
    def __init__(self):
        self.signals = Queue()
        self.seen = []
        self.faults = 0

    def watch(self):
        while True:
            try:
                self.seen.append(self.signals.get())
            except FAULTS:
                self.faults += 1


class Harbour:
    def __init__(self):
        self.lookout = Lookout()
        self.duty = None

    def open(self):
        self.duty = gevent.spawn(self.lookout.watch)

    def receive(self, ships):
        for ship in ships:
            self.lookout.signals.put(ship)
            gevent.sleep(0.005)

    def close(self):
        self.duty.kill()


def sweep_quay():
    while True:
        gevent.sleep(0.05)


def run_harbour():
    harbour = Harbour()
    while True:
        harbour.open()
        harbour.receive(["barge", "cutter", "ferry"])
        harbour.close()
        del harbour.lookout.seen[:]


FAULTS = ValueError


if __name__ == "__main__":
    gevent.spawn(sweep_quay)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_harbour()
