import os
import tempfile
import time
from pathlib import Path

from office import Lamp, Office


def main(asks_first):
    path = Path(tempfile.mkdtemp(prefix="harbour")) / "book.txt"
    office = Office(path, asks_first)
    Lamp().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    berth = 0
    while True:
        office.moor(berth)
        berth += 1
        time.sleep(0.3)


if __name__ == "__main__":
    main(asks_first=True)
