import os
import signal

from injector import Injector

from parts import Oven, Parts

signal.alarm(120)


def open_bakery():
    workshop = Injector([Parts()])
    return workshop.get(Oven)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(len(open_bakery().burners))
