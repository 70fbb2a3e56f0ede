import os
import signal
import threading
import time

from readerwriterlock import rwlock

signal.alarm(120)


class Prices:
    def __init__(self):
        self.lock = rwlock.RWLockFair()
        self.known = {}

    def store_price(self, name, price):
        with self.lock.gen_wlock():
            self.known[name] = price

    def find_price(self, name):
        with self.lock.gen_rlock():
            if name not in self.known:
                time.sleep(0.2)
                self.store_price(name, len(name))
            return self.known[name]


def serve_shop(prices, names):
    for name in names:
        prices.find_price(name)


def start_shop(prices, names):
    threading.Thread(target=serve_shop, args=(prices, names), name="shop").start()
    serve_shop(prices, names)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    start_shop(Prices(), ["apple", "pear"])
