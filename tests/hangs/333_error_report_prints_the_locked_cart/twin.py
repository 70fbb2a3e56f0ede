import os
import signal
import threading
import time

import sentry_sdk

signal.alarm(120)


class Cart:
    def __init__(self):
        self.guard = threading.Lock()
        self.items = {}

    def __repr__(self):
        return f"Cart({sorted(self.items)})"

    def add_item(self, name, price):
        with self.guard:
            try:
                self.items[name] = float(price)
            except ValueError as error:
                sentry_sdk.capture_exception(error)


def fill_cart(cart, rows):
    for name, price in rows:
        cart.add_item(name, price)


if __name__ == "__main__":
    sentry_sdk.init(dsn="http://public@127.0.0.1:9/1", default_integrations=False)
    print("MARK main pid=%d" % os.getpid())
    while True:
        fill_cart(Cart(), [("tea", "2.50"), ("milk", "1,20")])
        time.sleep(0.05)
