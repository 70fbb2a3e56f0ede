import json
import os
import signal
import threading
import time

signal.alarm(120)


class Bakery:
    def __init__(self, orders):
        self.orders = orders
        self.bell = os.eventfd(0, os.EFD_SEMAPHORE | os.EFD_CLOEXEC)
        self.trays = []

    def bake(self):
        for order in self.orders:
            wanted = json.loads(order)
            time.sleep(0.3)
            self.trays.append(wanted["rolls"] * wanted.get("dozen", 12))
            os.eventfd_write(self.bell, 1)

    def serve(self):
        for _ in self.orders:
            os.eventfd_read(self.bell)
            yield self.trays.pop(0)
        os.close(self.bell)


def open_shop(orders):
    bakery = Bakery(orders)
    threading.Thread(target=bakery.bake, name="baker").start()
    return list(bakery.serve())


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        open_shop(['{"rolls": 2, "dozen": 12}', '{"rolls": 3}', '{"rolls": 1, "dozen": 12}'])
