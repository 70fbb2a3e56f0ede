import os
import signal
import sys
import time
import warnings

warnings.simplefilter("ignore")

import pypeln

signal.alarm(120)


def measure_leaf(number):
    time.sleep(0.02)
    return number * 3


def measure_leaves(numbers):
    stage = pypeln.process.map(measure_leaf, numbers, workers=2, maxsize=4)
    return sum(stage)


if __name__ == "__main__":
    sys.stderr = open(os.devnull, "w")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        measure_leaves(range(100))
