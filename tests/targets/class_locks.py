"""Two threads with two locks in opposite order: one is a class's, the other lies two steps away."""

import abc
import threading
import time

from ready import ready


class Price(abc.ABC):
    lock = threading.Lock()


class Rice(Price):
    pass


class Store:
    def __init__(self):
        self.guard = threading.Lock()


class Shop:
    def __init__(self):
        self.store = Store()


def set_price(price, shop):
    with price.lock:
        both.wait()
        with shop.store.guard:
            pass


def sell(price, shop):
    with shop.store.guard:
        both.wait()
        with price.lock:
            pass


def open_shop():
    threads = [
        threading.Thread(target=function, args=(Rice(), Shop.only), daemon=True)
        for function in (set_price, sell)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    ready()
    threads[0].join()


both = threading.Barrier(2)
Shop.only = Shop()
open_shop()
