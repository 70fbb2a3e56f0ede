import os
import threading
import time

from quarry.mason import Mason
from quarry.stock import Quarry

NEEDED = 5


def weather():
    degrees = 0
    while True:
        degrees = (degrees + 1) % 30
        time.sleep(0.4)


if __name__ == "__main__":
    quarry = Quarry(rows=20)
    mason = Mason(quarry)
    threading.Thread(target=weather, name="weather", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mason.lay(NEEDED)
        quarry.restock(20)
