import os
import threading
import time

from camera.detector import detect
from camera.ring import FRAME, FrameRing, ctx


class Disk(threading.Thread):
    def __init__(self):
        super().__init__(name="disk", daemon=True)
        self.free = 100

    def run(self):
        while True:
            self.free = max(10, self.free - 1)
            time.sleep(0.3)


class Recorder:
    def __init__(self, ring, every):
        self.ring = ring
        self.every = every
        self.frames = 0

    def frame(self):
        self.frames += 1
        first = 0 if self.every and self.frames % self.every == 0 else 1
        return bytes([first, self.frames % 256]) + bytes(FRAME - 2)

    def record(self):
        while True:
            self.ring.write(self.frame())


def main(every, pace):
    ring = FrameRing(4)
    detector = ctx.Process(target=detect, args=(ring, pace), name="detector", daemon=True)
    detector.start()
    Disk().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Recorder(ring, every).record()
