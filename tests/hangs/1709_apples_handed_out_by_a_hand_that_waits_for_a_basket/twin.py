import os
import threading
import time

from orchard.harvest import Orchard, Sorter, Wagon

BASKETS = 4


class Weaver(threading.Thread):
    def __init__(self):
        super().__init__(name="weaver", daemon=True)
        self.woven = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.woven += 1


def main():
    orchard = Orchard(BASKETS)
    stream = orchard.stream()
    sorters = [Sorter("sorter-red", orchard, stream), Sorter("sorter-green", orchard, stream)]
    Wagon(sorters).start()
    Weaver().start()
    for sorter in sorters:
        sorter.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for sorter in sorters:
        sorter.join()


if __name__ == "__main__":
    main()
