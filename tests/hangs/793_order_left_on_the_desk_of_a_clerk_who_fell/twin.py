import os
import signal
import threading
import time

from orders import Orders

signal.alarm(120)


class Kitchen:
    def __init__(self, orders):
        self.orders = orders
        self.cooked = []

    def cook(self, clerk):
        while True:
            number, dish = self.orders.take(clerk)
            self.cooked.append(self.recipes().get(dish, dish))
            self.orders.done(number)

    def recipes(self):
        return {"stew": "stew with rice", "pie": "pie with peas"}


def serve(kitchen, dishes):
    for name in ("ida", "tom"):
        threading.Thread(target=kitchen.cook, args=(name,), name=name, daemon=True).start()
    while True:
        for dish in dishes:
            kitchen.orders.add(dish)
            time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    serve(Kitchen(Orders()), ["stew", "soup", "pie"])
