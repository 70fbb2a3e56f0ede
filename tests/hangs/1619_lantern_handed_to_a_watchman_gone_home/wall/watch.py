import threading
import time


class Bell:
    def __init__(self):
        self.struck = 0

    def hours(self):
        while True:
            self.struck += 1
            time.sleep(0.4)


class Watchman(threading.Thread):
    def __init__(self, ring, bell, name):
        super().__init__(name=name, daemon=True)
        self.ring = ring
        self.bell = bell
        self.place = ring.join(name)
        self.shift = None
        self.rounds = 0

    def patrol(self):
        time.sleep(0.03)
        self.rounds += 1
        return self.bell.struck

    def tired(self):
        return self.shift is not None and self.rounds >= self.shift

    def run(self):
        while not self.tired():
            self.ring.take(self.place)
            try:
                self.patrol()
            finally:
                self.ring.hand_on(self.place)
