import os
import threading
import time

from choir.songbook import Songbook

SEEDS = 40


class Organ:
    def __init__(self):
        self.air = 0

    def work(self):
        while True:
            self.air = (self.air + 7) % 100
            time.sleep(0.4)


if __name__ == "__main__":
    organ = Organ()
    threading.Thread(target=organ.work, name="organ", daemon=True).start()
    book = Songbook(hands=3)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        book.fill(SEEDS, 40)
