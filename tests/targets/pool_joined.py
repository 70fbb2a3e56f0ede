"""A pool is closed and joined whose worker ended in its task (`ended`), or sleeps in it."""

import multiprocessing
import os
import sys
import time

from ready import ready


def pack(ended):
    if ended:
        os._exit(0)
    time.sleep(600)


def main():
    pool = multiprocessing.get_context("fork").Pool(2)
    pool.apply_async(pack, (sys.argv[1] == "ended",))
    time.sleep(0.5)
    pool.close()
    ready()
    pool.join()


if __name__ == "__main__":
    main()
