import os

from scales.link import Line, Platform
from scales.office import Board, Clerk, Ledger

READINGS = (2100, 1822, 1811, 787)


def main():
    platform = Platform(READINGS)
    ledger = Ledger()
    clerk = Clerk(Line(platform.port), ledger)
    Board(ledger).start()
    platform.start()
    clerk.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    clerk.join()


if __name__ == "__main__":
    main()
