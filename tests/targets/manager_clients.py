"""A process waits at a manager of multiprocessing for what its child is to put: the child has not
asked the manager for anything yet, and sleeps by the clock (`early`), or has failed (`failed`)."""

import multiprocessing
import os
import sys
import time

from ready import ready


def pack(orders, early):
    if not early:
        raise SystemExit(3)
    time.sleep(600)
    orders.put("parcel")


def main():
    fork = multiprocessing.get_context("fork")
    orders = fork.Manager().Queue()
    packer = fork.Process(target=pack, args=(orders, sys.argv[1] == "early"), name="packer")
    packer.start()
    if sys.argv[1] == "failed":
        os.waitid(os.P_PID, packer.pid, os.WEXITED | os.WNOWAIT)
    ready()
    orders.get()


if __name__ == "__main__":
    main()
