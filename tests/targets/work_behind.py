"""Both workers of an executor wait for loaves that a call behind them would bring, through a method
of the shop: ``work_behind.py hung``, or ``free``: one worker is free for that.
"""

import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from ready import ready


class Shop:
    def __init__(self):
        self.shelves = {}

    def shelf(self, kind):
        return self.shelves.setdefault(kind, queue.Queue())

    def buy(self, kind):
        return self.shelf(kind).get()

    def bring(self, kind, loaf):
        self.shelf(kind).put(loaf)


def take_orders(pool):
    shop = Shop()
    for _ in range(2):
        pool.submit(shop.buy, "rye")

    def deliver():
        for loaf in range(2):
            shop.bring("rye", loaf)

    pool.submit(deliver)


pool = ThreadPoolExecutor(2 if sys.argv[1] == "hung" else 4)
take_orders(pool)
threading.Timer(0.3, ready).start()
while True:
    time.sleep(0.05)
