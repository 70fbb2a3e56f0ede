import multiprocessing
import os
import signal

import blosc2
import numpy as np

signal.alarm(120)


def pack_table(rows):
    return len(blosc2.compress2(np.arange(rows)))


def pack_tables(sizes):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.map(pack_table, sizes)


if __name__ == "__main__":
    blosc2.set_nthreads(4)
    pack_table(5_000_000)
    print("MARK main pid=%d" % os.getpid())
    pack_tables([5_000_000, 4_000_000])
