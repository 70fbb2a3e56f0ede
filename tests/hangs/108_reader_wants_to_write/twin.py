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
            time.sleep(0.05)
            if name in self.known:
                return self.known[name]
        self.store_price(name, len(name))
        return len(name)


def serve_shop(prices, names):
    while True:
        for name in names:
            prices.find_price(name)
        prices.store_price(names[0], 7)


def start_shop(prices, names):
    threading.Thread(target=serve_shop, args=(prices, names), name="shop").start()
    serve_shop(prices, names)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    start_shop(Prices(), ["apple", "pear"])
