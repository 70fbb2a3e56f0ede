import os
import threading
import time

from bindery.press import Press

AT_ONCE = 6
TITLES = ["Tides", "Moors", "Lanterns", "Orchards"]


class Shop:
    def __init__(self, press):
        self.press = press
        self.delivered = 0

    def batch(self):
        orders = [self.press.order(title, 3) for title in TITLES[:3]]
        for order in orders:
            order.result()
            self.delivered += 1

    def trade(self):
        while True:
            self.batch()
            time.sleep(0.3)


class Window(threading.Thread):
    def __init__(self, shop):
        super().__init__(name="window", daemon=True)
        self.shop = shop
        self.dressed = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.dressed = self.shop.delivered // 10


def main():
    shop = Shop(Press(AT_ONCE))
    Window(shop).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    shop.trade()


if __name__ == "__main__":
    main()
