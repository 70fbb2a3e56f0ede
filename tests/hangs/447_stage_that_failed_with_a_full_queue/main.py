import os
import signal
import sys
import warnings

warnings.simplefilter("ignore")

import pypeln

signal.alarm(120)


def measure_leaf(number):
    if number == 10:
        raise ValueError("no leaf %d" % number)
    return number * 3


def measure_leaves(numbers):
    stage = pypeln.process.map(measure_leaf, numbers, workers=2, maxsize=4)
    return sum(stage)


if __name__ == "__main__":
    sys.stderr = open(os.devnull, "w")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(measure_leaves(range(100)))
