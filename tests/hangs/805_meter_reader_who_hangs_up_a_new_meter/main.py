import os
import signal

from meters import Cache, Warmth
from prometheus_client import REGISTRY

signal.alarm(120)


def open_house():
    REGISTRY.register(Warmth(Cache()))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_house()
