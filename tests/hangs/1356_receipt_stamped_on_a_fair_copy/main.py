import os

from customs.house import Harbour

CARGO = {"elsinore": [20, 30, 45, 10] * 200, "bergen": [15, 80, 250, 30], "tromso": [40] * 8}


def main():
    harbour = Harbour(2)
    carriers = harbour.open(CARGO)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for carrier in carriers:
        carrier.join()


if __name__ == "__main__":
    main()
