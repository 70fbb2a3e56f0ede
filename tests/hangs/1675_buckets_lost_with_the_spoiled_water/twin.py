import os

from wheel import Garden

CAREFUL = True

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Garden(CAREFUL).summer()
