import os
import threading
import time


class Tide(threading.Thread):
    def __init__(self):
        super().__init__(name="tide", daemon=True)
        self.level = 0

    def run(self):
        while True:
            self.level = (self.level + 1) % 12
            time.sleep(0.4)


def watch_coast(kind, pause):
    Tide().start()
    with kind("east") as east, kind("west") as west:
        east.neighbour, west.neighbour = west, east
        first = east.portal.start_task_soon(east.watch, [("Anna", 40), ("Berta", 70)], pause)
        second = west.portal.start_task_soon(west.watch, [("Anna", 310), ("Berta", 290)], pause)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        first.result()
        second.result()
        print(east.reports, west.reports)
