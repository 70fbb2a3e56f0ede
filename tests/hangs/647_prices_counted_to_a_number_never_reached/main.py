import json
import os
import signal
import time

import multitasking

signal.alarm(120)
multitasking.set_max_threads(2)

QUOTES = {"rye": '{"price": 12}', "oat": '{"prize": 9}', "spelt": '{"price": 21}'}


class Market:
    def __init__(self):
        self.prices = {}

    @multitasking.task
    def fetch(self, grain):
        time.sleep(0.2)
        self.prices[grain] = json.loads(QUOTES[grain])["price"]


def price_list(grains):
    market = Market()
    for grain in grains:
        market.fetch(grain)
    while len(market.prices) < len(grains):
        time.sleep(0.01)
    return market.prices


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(price_list(list(QUOTES)))
