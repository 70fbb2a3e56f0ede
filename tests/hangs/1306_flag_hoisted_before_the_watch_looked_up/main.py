import os

from signal_mast.watch import Station, watch

HERE = os.path.dirname(os.path.abspath(__file__))
EARLY = False


def main():
    station = Station(os.path.join(HERE, "mast.py"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    watch(station, EARLY)


if __name__ == "__main__":
    main()
