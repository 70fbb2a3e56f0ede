import os

from quarry import Foreman, Quarry, Yard

PLACES = 48


if __name__ == "__main__":
    yard = Yard(PLACES)
    Foreman(yard).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Quarry(yard, 12).work(2)
