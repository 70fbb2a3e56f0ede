import os
import signal

import pykka

signal.alarm(120)


class Warehouse(pykka.ThreadingActor):
    def __init__(self, shop):
        super().__init__()
        self.shop = shop

    def reserve(self, name):
        price = self.shop.price_of(name).get()
        return name, price


class Shop(pykka.ThreadingActor):
    def price_of(self, name):
        return 3

    def place_order(self, warehouse, name):
        return warehouse.reserve(name).get()


def open_shop():
    shop = Shop.start().proxy()
    warehouse = Warehouse.start(shop).proxy()
    return shop.place_order(warehouse, "tea").get()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    open_shop()
