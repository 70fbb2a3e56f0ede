import os

from atelier import Atelier, Visitors

BY_MASTER = True

if __name__ == "__main__":
    Visitors().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Atelier(2, BY_MASTER).exhibition()
