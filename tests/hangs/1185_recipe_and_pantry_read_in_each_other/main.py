import os
import threading
import time

from cached_property import threaded_cached_property


class Recipe:
    def __init__(self, kitchen, weights):
        self.kitchen = kitchen
        self.weights = weights

    @threaded_cached_property
    def cost(self):
        time.sleep(0.2)
        return sum(self.weights) + self.kitchen.pantry.shortage


class Pantry:
    def __init__(self, kitchen, stock):
        self.kitchen = kitchen
        self.stock = stock

    @threaded_cached_property
    def shortage(self):
        time.sleep(0.2)
        if ESTIMATED:
            return 20 - self.stock
        return max(self.kitchen.recipe.cost - self.stock, 0)


class Kitchen:
    def __init__(self):
        self.recipe = Recipe(self, [3, 4, 9])
        self.pantry = Pantry(self, 12)


def cook(kitchen):
    return kitchen.recipe.cost


def buy(kitchen):
    return kitchen.pantry.shortage


def run_days():
    while True:
        kitchen = Kitchen()
        threads = [
            threading.Thread(target=cook, args=(kitchen,), name="cook"),
            threading.Thread(target=buy, args=(kitchen,), name="buyer"),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


ESTIMATED = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_days()
