import multiprocessing
import os
import signal
import threading
import time

signal.alarm(120)


class Menu:
    def __init__(self, dish):
        self.dish = dish

    def open_for_orders(self):
        self.lock = threading.Lock()


def learn(menus):
    global known
    known = [menu.dish for menu in menus]


def count(dish):
    time.sleep(0.1)
    return known.count(dish)


def count_all(pool, menus):
    dishes = [menu.dish for menu in menus]
    return pool.map(count, dishes, chunksize=1)


def open_kitchen():
    menus = [Menu(dish) for dish in ("soup", "stew", "soup", "cake")]
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(2, learn, (menus,), maxtasksperchild=1) as pool:
        for menu in menus:
            menu.open_for_orders()
        return count_all(pool, menus)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(open_kitchen())
