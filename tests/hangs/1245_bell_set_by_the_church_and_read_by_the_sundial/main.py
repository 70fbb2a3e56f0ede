import os
import sched
import threading
import time

CLOCK = time.monotonic


class Tower:
    def __init__(self):
        self.plan = sched.scheduler(CLOCK)
        self.noon = threading.Event()
        self.strokes = 0

    def pull(self):
        while True:
            self.noon.wait()
            self.noon.clear()
            self.strokes += 1

    def order(self, seconds):
        self.plan.enterabs(time.time() + seconds, 1, self.noon.set)

    def ring_out(self):
        self.order(0.2)
        self.plan.run()


if __name__ == "__main__":
    tower = Tower()
    threading.Thread(target=tower.pull, name="ringers", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tower.ring_out()
