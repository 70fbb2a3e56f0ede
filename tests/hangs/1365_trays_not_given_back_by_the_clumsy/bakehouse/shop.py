import threading
import time

from bakehouse.oven import Loaf


class Shop:
    def __init__(self, oven):
        self.oven = oven
        self.shelf = []

    def morning(self, loaves):
        for weight in self.oven.baked(map(Loaf, range(loaves))):
            self.put(weight)

    def put(self, weight):
        self.shelf = [*self.shelf[-30:], weight]
        time.sleep(0.02)


class Sparrow(threading.Thread):
    def __init__(self, shop):
        super().__init__(name="sparrow", daemon=True)
        self.shop = shop
        self.crumbs = 0

    def run(self):
        while True:
            self.crumbs += len(self.shop.shelf) % 3
            time.sleep(0.4)
