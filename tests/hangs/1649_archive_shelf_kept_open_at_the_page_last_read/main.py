import os
import threading
import time

from archive.reader import Reader
from archive.shelves import Archive

KEEPS = True


class Binder:
    def __init__(self, archive):
        self.archive = archive
        self.known = 0

    def work(self):
        while True:
            self.known = self.archive.count()
            time.sleep(0.2)


def lamp():
    oil = 100
    while True:
        oil = oil - 1 or 100
        time.sleep(0.5)


if __name__ == "__main__":
    archive = Archive(["charter", "deed", "roll", "map"])
    threading.Thread(target=Binder(archive).work, name="binder", daemon=True).start()
    threading.Thread(target=lamp, name="lamp", daemon=True).start()
    reader = Reader(archive, KEEPS)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        number += 1
        reader.look("roll")
        archive.add("letter %d" % (number % 50))
        time.sleep(0.05)
