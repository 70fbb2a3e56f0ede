import os
import threading
import time

from valley.components import Valley


class Herd(threading.Thread):
    def __init__(self, name, size):
        super().__init__(name=name, daemon=True)
        self.size = size
        self.grazed = 0
        self.moved = threading.Condition()

    def run(self):
        while True:
            with self.moved:
                self.moved.wait(0.3)
                self.grazed += self.size


def main(waits):
    for name, size in (("goats", 12), ("cows", 7)):
        Herd(name, size).start()
    valley = Valley(waits)
    walk = threading.Thread(target=valley.run, name="valley", daemon=True)
    walk.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while walk.is_alive():
        time.sleep(1)
