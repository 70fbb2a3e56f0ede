import os
import sys
import threading
import urllib.request

import timeout_decorator

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

PORT = start("http_server")


class PriceList:
    def __init__(self):
        self.lock = threading.Lock()
        self.prices = {}

    def refresh(self, path):
        with self.lock, urllib.request.urlopen("http://127.0.0.1:%d/%s" % (PORT, path)) as answer:
            self.prices["tea"] = len(answer.read())

    def price(self, name):
        self.lock.acquire()
        found = self.prices.get(name, 0)
        self.lock.release()
        return found


@timeout_decorator.timeout(1)
def refresh_in_time(price_list, path):
    price_list.refresh(path)


def open_shop(price_list, path):
    try:
        refresh_in_time(price_list, path)
    except timeout_decorator.TimeoutError:
        print("old prices", file=sys.stderr)
    return price_list.price("tea")


if __name__ == "__main__":
    price_list = PriceList()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        open_shop(price_list, "small")
        open_shop(price_list, "silent")
