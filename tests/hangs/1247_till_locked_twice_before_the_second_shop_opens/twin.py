import os
import threading
import time


class Till:
    def __init__(self):
        self.lock = threading.Lock()
        self.coins = 0

    def put(self, coins):
        with self.lock:
            self.coins += coins


TILL = Till()
SHOPS = 1


class Shop:
    def __init__(self, name):
        self.name = name
        os.register_at_fork(
            before=TILL.lock.acquire,
            after_in_parent=TILL.lock.release,
            after_in_child=TILL.lock.release,
        )

    def open_branch(self):
        child = os.fork()
        if child == 0:
            TILL.put(1)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    shops = [Shop("corner %d" % number) for number in range(SHOPS)]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for shop in shops:
            TILL.put(1)
            shop.open_branch()
        time.sleep(0.1)
