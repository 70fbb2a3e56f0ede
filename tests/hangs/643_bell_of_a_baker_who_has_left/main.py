import json
import os
import signal
import threading

signal.alarm(120)


class Bakery:
    def __init__(self, orders):
        self.orders = orders
        self.bell = os.eventfd(0, os.EFD_SEMAPHORE | os.EFD_CLOEXEC)
        self.trays = []

    def bake(self):
        for order in self.orders:
            wanted = json.loads(order)
            self.trays.append(wanted["rolls"] * wanted["dozen"])
            os.eventfd_write(self.bell, 1)

    def serve(self):
        for _ in self.orders:
            os.eventfd_read(self.bell)
            yield self.trays.pop(0)


def open_shop(orders):
    bakery = Bakery(orders)
    threading.Thread(target=bakery.bake, name="baker").start()
    return list(bakery.serve())


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop(['{"rolls": 2, "dozen": 12}', '{"rolls": 3}', '{"rolls": 1, "dozen": 12}'])
