import os
import signal

from barn import Barn

signal.alarm(120)


def main():
    barn = Barn(1)
    barn.fill()
    barn.copy_harvest()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
