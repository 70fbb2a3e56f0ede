import threading
import time


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.closed = threading.Event()
        self.sacks = 0
        self.days = 0
        self.strokes = 0

    def enter(self, sack):
        with self.lock:
            self.sacks += 1
            if self.sacks % 10 == 0:
                self.closed.set()

    def close_day(self):
        self.closed.wait()
        self.closed.clear()
        self.days += 1

    def tick(self):
        while True:
            time.sleep(0.4)
            with self.lock:
                self.strokes += 1
