import os
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from moka_py import Moka

signal.alarm(120)

PARTS = {"tea set": ["pot", "tray"], "tray set": ["tray", "pot"], "pot": [], "tray": []}


class Catalogue:
    def __init__(self):
        self.prices = Moka(1000)
        self.together = Barrier(2)

    def price(self, name):
        return self.prices.get_with(name, lambda: self.work_out(name))

    def work_out(self, name):
        if PARTS[name]:
            self.together.wait()
        return 5 + sum(self.price(part) for part in PARTS[name])


def print_list(catalogue, names):
    with ThreadPoolExecutor(2, thread_name_prefix="prices") as pool:
        return list(pool.map(catalogue.price, names))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        print_list(Catalogue(), ["tea set", "tray set"])
