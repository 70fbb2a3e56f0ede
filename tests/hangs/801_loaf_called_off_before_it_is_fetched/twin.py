import os
import signal

from bakery import bake, open_bakery

signal.alarm(120)


class Counter:
    def __init__(self):
        self.orders = {}

    def order(self, guest, loaf):
        self.orders[guest] = bake.schedule((loaf,), delay=1)

    def call_off(self, guest):
        self.orders[guest].revoke()

    def serve(self):
        return {guest: order.get(blocking=True) for guest, order in self.orders.items()}


if __name__ == "__main__":
    counter = Counter()
    open_bakery()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        counter.order("ida", "rye")
        counter.order("tom", "spelt")
        counter.serve()
