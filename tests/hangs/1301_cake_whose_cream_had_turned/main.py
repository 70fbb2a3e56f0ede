import os

from kitchen.cakes import Cream, Oven, afternoon

LITRES = 6


def main():
    Oven().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    afternoon(Cream(LITRES))


if __name__ == "__main__":
    main()
