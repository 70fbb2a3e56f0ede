import os

from orchard import Orchard

REMEMBERS = True

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Orchard(2, REMEMBERS).day()
