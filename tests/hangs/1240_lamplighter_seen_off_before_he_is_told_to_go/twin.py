import os
import threading
import time
from contextlib import ExitStack

DAWN_FIRST = True


class Evening:
    def __init__(self):
        self.dawn = threading.Event()
        self.rounds = 0

    def tend(self):
        while not self.dawn.wait(0.2):
            self.rounds += 1

    def spend(self):
        with ExitStack() as stack:
            lamps = threading.Thread(target=self.tend, name="lamps")
            lamps.start()
            if DAWN_FIRST:
                stack.callback(lamps.join)
                stack.callback(self.dawn.set)
            else:
                stack.callback(self.dawn.set)
                stack.callback(lamps.join)
            time.sleep(0.5)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Evening().spend()
