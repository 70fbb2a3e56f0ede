import os
import queue
import threading
import time

from tower.loop import Loop


class Bells:
    def __init__(self, loop, number):
        self.loop = loop
        self.number = number
        self.rung = [0] * number
        self.finished = queue.Queue()

    def ring(self, bell):
        self.rung[bell] += 1

    def peal(self, strokes):
        for stroke in range(strokes):
            self.loop.call(self.ring, stroke % self.number)
        self.loop.call(self.finished.put, strokes)

    def order(self, strokes):
        self.loop.call(self.peal, strokes)
        return self.finished.get()


class Swallow(threading.Thread):
    def __init__(self):
        super().__init__(name="swallow", daemon=True)
        self.circles = 0

    def run(self):
        while True:
            self.circles += 1
            time.sleep(0.3)


def ring_in(feast):
    loop = Loop("bell-loop")
    loop.start()
    Swallow().start()
    bells = Bells(loop, 5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for strokes in (12, 400, feast):
            bells.order(strokes)
            time.sleep(0.1)
