"""written_elsewhere_forked.py NAME: a process waits for what a child of it has in its own memory:
for an event that the child sets, or by looking at a flag that the child changes."""

import multiprocessing
import sys
import threading
import time

from ready import ready


class Bakery:
    def __init__(self):
        self.baked = threading.Event()
        self.done = False

    def bake(self, begun):
        self.baked.set()  # sets
        self.done = True  # changes
        begun.set()
        while True:
            time.sleep(30)

    def event(self):
        self.baked.wait()

    def flag(self):
        while not self.done:
            time.sleep(0.05)


if __name__ == "__main__":
    forks = multiprocessing.get_context("fork")
    bakery, begun = Bakery(), forks.Event()
    forks.Process(target=bakery.bake, args=(begun,), name="oven", daemon=True).start()
    begun.wait()
    ready()
    getattr(bakery, sys.argv[1])()
