import os

from choir import Choir, Organist

ALL_AT_ONCE = True

if __name__ == "__main__":
    Organist().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Choir(3, ALL_AT_ONCE).concert()
