import asyncio
import os

from workshop import Carver, trade

WANTED = None


def main():
    carver = Carver()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sold = asyncio.run(trade(carver, WANTED))
    print("sold", sold, flush=True)


if __name__ == "__main__":
    main()
