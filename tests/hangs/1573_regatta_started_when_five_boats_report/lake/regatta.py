import threading
import time


class Latch:
    def __init__(self, count):
        self.count = count
        self.changed = threading.Condition()

    def count_down(self):
        with self.changed:
            self.count -= 1
            if self.count <= 0:
                self.changed.notify_all()

    def wait(self):
        with self.changed:
            while self.count > 0:
                self.changed.wait()


class Regatta:
    def __init__(self, boats):
        self.ready = Latch(boats)
        self.started = None

    def start(self):
        self.ready.wait()
        self.started = time.monotonic()


class Shore:
    def __init__(self):
        self.races = 0
        self.notes = []

    def watch(self):
        while True:
            time.sleep(0.4)
            self.notes.append(self.races)
            del self.notes[:-10]
