import os
import time

from tides.watch import Harbour

APART = True


def main():
    harbour = Harbour(apart=APART)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    harbour.open()
    while True:
        time.sleep(1)
        harbour.report()


if __name__ == "__main__":
    main()
