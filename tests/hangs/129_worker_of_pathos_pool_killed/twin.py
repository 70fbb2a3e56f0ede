import os
import signal
import time

import multiprocess

signal.alarm(120)


def fit_model(size):
    time.sleep(0.05)
    return size * size


def fit_all(sizes):
    with multiprocess.Pool(2) as pool:
        while True:
            pool.map(fit_model, sizes, chunksize=1)


if __name__ == "__main__":
    multiprocess.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    fit_all([1, 2, 3])
