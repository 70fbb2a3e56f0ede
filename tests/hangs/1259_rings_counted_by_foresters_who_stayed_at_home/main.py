import multiprocessing
import os
import time

COUNTERS = multiprocessing.Pool(2)


def count_rings(tree):
    time.sleep(0.01)
    return tree * 3


def count_plot(plot):
    trees = range(plot, plot + 4)
    if SPLIT:
        return sum(COUNTERS.map(count_rings, trees))
    return sum(count_rings(tree) for tree in trees)


def survey(foresters):
    total = 0
    while True:
        total += sum(foresters.map(count_plot, [10, 20]))


SPLIT = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    survey(multiprocessing.Pool(2))
