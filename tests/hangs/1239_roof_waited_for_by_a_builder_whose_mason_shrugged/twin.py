import os
import queue
import threading
import time
from graphlib import TopologicalSorter

PLAN = {"roof": {"walls"}, "walls": {"floor"}, "floor": {"cellar"}}
BRICKS = {"cellar": 4, "floor": 9, "walls": 5, "roof": 1}


class Mason(threading.Thread):
    def __init__(self, number, ready, finished):
        super().__init__(name="mason-%d" % number, daemon=True)
        self.ready, self.finished = ready, finished
        self.troubles = []

    def lay(self, part):
        time.sleep(BRICKS[part] / 100)
        self.finished.put(part)

    def run(self):
        while True:
            part = self.ready.get()
            try:
                self.lay(part)
            except KeyError as trouble:
                self.troubles.append(repr(trouble))


class Builder:
    def __init__(self):
        self.ready, self.finished = queue.Queue(), queue.Queue()
        self.masons = [Mason(number, self.ready, self.finished) for number in range(2)]
        for mason in self.masons:
            mason.start()

    def build(self):
        order = TopologicalSorter(PLAN)
        order.prepare()
        while order.is_active():
            for part in order.get_ready():
                self.ready.put(part)
            order.done(self.finished.get())


if __name__ == "__main__":
    builder = Builder()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        builder.build()
