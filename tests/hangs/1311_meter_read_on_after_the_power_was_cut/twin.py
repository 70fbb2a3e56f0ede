import os

from plant.shift import shifts

HERE = os.path.dirname(os.path.abspath(__file__))
ENDS = b""


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    shifts(os.path.join(HERE, "power.py"), 30, ENDS)


if __name__ == "__main__":
    main()
