import time


class Office:
    def __init__(self, lock, ink, first):
        self.lock = lock
        self.ink = ink
        self.first = first
        self.edition = 0
        self.minutes = 0

    def redraw(self):
        self.lock.acquire_write()
        try:
            self.edition += 1
            time.sleep(0.01)
        finally:
            self.lock.release()

    def supply(self):
        self.ink.put("ink %d" % self.edition)

    def work(self):
        time.sleep(0.5)
        while True:
            if self.first:
                self.supply()
                self.redraw()
            else:
                self.redraw()
                self.supply()
            time.sleep(0.05)

    def tick(self):
        while True:
            time.sleep(0.3)
            self.minutes += 1
