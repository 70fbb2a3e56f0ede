import os

from yard.crew import Yard
from yard.meter import Meter

HARDEST = 90


def main():
    yard = Yard(HARDEST)
    Meter(yard).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    yard.season()


if __name__ == "__main__":
    main()
