import multiprocessing
import os
import signal
import time

signal.alarm(120)


class Bakery:
    def __init__(self):
        self.open = True

    def close(self, signum, frame):
        self.open = False
        print("closing, please wait", flush=True)


def knead(number):
    signal.alarm(120)
    time.sleep(0.2)


def bake(doughs):
    with multiprocessing.get_context("fork").Pool(2) as helpers:
        first = helpers.imap_unordered(knead, doughs)
        time.sleep(1)
    helpers.join()
    return first


if __name__ == "__main__":
    bakery = Bakery()
    signal.signal(signal.SIGTERM, bakery.close)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        bake(range(2))
