import os
import signal
import time

from meters import Cache, Warmth
from prometheus_client import REGISTRY, generate_latest

signal.alarm(120)


def open_house():
    cache = Cache()
    cache.get("kitchen")
    REGISTRY.register(Warmth(cache))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_house()
    while True:
        generate_latest(REGISTRY)
        time.sleep(0.1)
