import itertools
import os
import threading
import time

from kitchen.recipes import Recipes

MENU = ("soup", "trout", "dumplings", "pie")


class Stove(threading.Thread):
    def __init__(self):
        super().__init__(name="stove", daemon=True)
        self.heat = 0
        self.turned = threading.Event()

    def run(self):
        while not self.turned.wait(0.3):
            self.heat = min(self.heat + 1, 9)


class Cook(threading.Thread):
    def __init__(self, name, recipes):
        super().__init__(name=name)
        self.recipes = recipes
        self.served = []

    def serve(self, dish):
        for step in self.recipes.of(dish):
            self.served.append((dish, step))

    def run(self):
        for number in itertools.count():
            self.serve("%s-%d" % (MENU[number % len(MENU)], number))
            time.sleep(0.05)


def evening(inside):
    recipes = Recipes(inside)
    recipes.box.set("parts", ("shell", "filling"))
    Stove().start()
    cooks = [Cook("berta", recipes), Cook("carl", recipes)]
    for cook in cooks:
        cook.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for cook in cooks:
        cook.join()
