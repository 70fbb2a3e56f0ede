import itertools
import threading
import time

from kitchen.flow import Flow, Step


class Cream:
    def __init__(self, litres):
        self.litres = litres

    def whip(self):
        time.sleep(0.02)
        if self.litres <= 0:
            raise ValueError("no cream left")
        self.litres -= 1


class Oven(threading.Thread):
    def __init__(self):
        super().__init__(name="oven", daemon=True)
        self.heat = itertools.cycle([180, 181, 179])
        self.shown = 0

    def run(self):
        while True:
            time.sleep(0.2)
            self.shown = next(self.heat)


def stir():
    time.sleep(0.01)


def cake(cream):
    return Flow(
        [
            Step("weigh", stir),
            Step("dough", stir, ["weigh"]),
            Step("bake", stir, ["dough"]),
            Step("cream", cream.whip),
            Step("fill", stir, ["bake", "cream"]),
            Step("serve", stir, ["fill"]),
        ]
    )


def afternoon(cream):
    while True:
        cake(cream).run()
        time.sleep(0.05)
