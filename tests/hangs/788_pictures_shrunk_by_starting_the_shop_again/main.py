import multiprocessing
import os
import signal

from shrink import shrink

signal.alarm(120)

PICTURES = [("beach", 4000), ("town", 6000), ("wood", 3000)]


def shrink_all(pictures):
    with multiprocessing.get_context("spawn").Pool(2) as helpers:
        return helpers.map(shrink, pictures)


if multiprocessing.current_process().name == "MainProcess":
    print("MARK main pid=%d" % os.getpid(), flush=True)
print(shrink_all(PICTURES))
