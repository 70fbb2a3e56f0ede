import os
import threading
import time

import polling2


class Bakery(threading.Thread):
    def __init__(self, shelf, flour):
        super().__init__(name="baker", daemon=True)
        self.shelf = shelf
        self.flour = flour

    def bake(self, kind):
        self.flour[kind] -= 1
        time.sleep(0.05)
        self.shelf.append(kind)

    def run(self):
        while True:
            for kind in KINDS:
                self.bake(kind)


class Shop:
    def __init__(self, shelf):
        self.shelf = shelf
        self.sold = 0

    def has_loaf(self):
        return len(self.shelf) > 0

    def serve(self):
        polling2.poll(self.has_loaf, step=0.2, poll_forever=True)
        self.shelf.pop()
        self.sold += 1


def open_shop(shop):
    while True:
        shop.serve()


KINDS = ("rye", "wheat")


if __name__ == "__main__":
    shelf = []
    Bakery(shelf, {"rye": 10**9, "wheat": 10**9}).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop(Shop(shelf))
