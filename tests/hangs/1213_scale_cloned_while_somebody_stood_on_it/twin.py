import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor


class Stock:
    def __init__(self):
        self.lock = threading.Lock()
        self.goods = {"tea": 4, "rye": 2, "oil": 9}
        self.counting = threading.Event()

    def recount(self, seconds):
        with self.lock:
            self.counting.set()
            time.sleep(seconds)
            self.goods = {name: count + 1 for name, count in self.goods.items()}
        self.counting.clear()

    def price(self, name):
        with self.lock:
            return self.goods[name] * 1.5


STOCK = Stock()


def price_of(name):
    return STOCK.price(name)


def keep_count(pause):
    while True:
        STOCK.recount(pause)
        time.sleep(0.2)


class Market:
    def __init__(self, method):
        self.method = multiprocessing.get_context(method)

    def list_prices(self, names):
        with ProcessPoolExecutor(2, mp_context=self.method) as pool:
            asked = [pool.submit(price_of, name) for name in names]
            return {name: price.result() for name, price in zip(names, asked)}


def run_market(method):
    counter = threading.Thread(target=keep_count, args=(0.4,), name="counter", daemon=True)
    counter.start()
    market = Market(method)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        STOCK.counting.wait()
        market.list_prices(["tea", "rye", "oil"])


METHOD = "spawn"


if __name__ == "__main__":
    run_market(METHOD)
