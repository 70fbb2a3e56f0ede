import os
import signal
import time

import pykka

signal.alarm(120)


class Warehouse(pykka.ThreadingActor):
    def reserve(self, name, price):
        time.sleep(0.05)
        return name, price


class Shop(pykka.ThreadingActor):
    def price_of(self, name):
        return 3

    def place_order(self, warehouse, name):
        return warehouse.reserve(name, self.price_of(name)).get()


def open_shop():
    shop = Shop.start().proxy()
    warehouse = Warehouse.start().proxy()
    while True:
        shop.place_order(warehouse, "tea").get()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    open_shop()
