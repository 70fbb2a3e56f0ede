import itertools
import logging
import threading
import time

from market.patience import TooLong, within

log = logging.getLogger("market")


class Stall:
    def __init__(self, scale):
        self.scale = scale
        self.receipts = []

    def sell(self, goods):
        try:
            grams = within(1.0, self.scale.weigh, goods)
        except TooLong:
            log.warning("not weighed: %s", goods)
            self.scale.zero()
            return
        self.receipts = [*self.receipts[-20:], (goods, grams)]

    def morning(self, basket):
        for goods in itertools.cycle(basket):
            self.sell(goods)
            time.sleep(0.05)


class Awning(threading.Thread):
    def __init__(self):
        super().__init__(name="awning", daemon=True)
        self.out = True

    def run(self):
        while True:
            time.sleep(0.5)
            self.out = not self.out
