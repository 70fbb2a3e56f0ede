import os
import signal
import threading

from orders import Orders

signal.alarm(120)


class Kitchen:
    def __init__(self, orders):
        self.orders = orders
        self.cooked = []

    def cook(self, clerk, wanted):
        while len(self.cooked) < wanted:
            number, dish = self.orders.take(clerk)
            self.cooked.append(self.recipes()[dish])
            self.orders.done(number)

    def recipes(self):
        return {"stew": "stew with rice", "pie": "pie with peas"}


def serve(kitchen, dishes):
    clerks = [
        threading.Thread(target=kitchen.cook, args=(name, 3), name=name) for name in ("ida", "tom")
    ]
    for clerk in clerks:
        clerk.start()
    for dish in dishes:
        kitchen.orders.add(dish)
    for clerk in clerks:
        clerk.join()
    return kitchen.cooked


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    serve(Kitchen(Orders()), ["stew", "soup", "pie"])
