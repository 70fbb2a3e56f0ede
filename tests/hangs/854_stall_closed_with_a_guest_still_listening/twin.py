import itertools
import os
import signal
import time

from stall import Stall

signal.alarm(120)


def run_days():
    stall = Stall()
    stall.listen()
    for price in itertools.count():
        stall.offer("apples", price)
        time.sleep(0.2)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_days()
