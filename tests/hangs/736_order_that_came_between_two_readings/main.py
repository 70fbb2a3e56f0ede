import os
import signal
import sys

import redis

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Kitchen:
    def __init__(self, port):
        self.store = redis.Redis(port=port, protocol=2, decode_responses=True)
        self.last = "$"

    def order(self, dish):
        self.store.xadd("orders", {"dish": dish})

    def next_order(self):
        [[_, [[number, order]]]] = self.store.xread({"orders": self.last}, count=1, block=0)
        return number, order["dish"]


def cook_menu(kitchen, dishes):
    for dish in dishes:
        kitchen.order(dish)
    return [kitchen.next_order() for _ in dishes]


if __name__ == "__main__":
    kitchen = Kitchen(start("stream_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    cook_menu(kitchen, ["soup", "fish"])
