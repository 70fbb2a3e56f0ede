import os

from tavern.house import Tavern

PLATES = [2, 3, 1, 4]


if __name__ == "__main__":
    tavern = Tavern(PLATES)
    tavern.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    tavern.evening()
