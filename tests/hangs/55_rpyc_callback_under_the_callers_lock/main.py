import os
import signal
import sys
import threading

import rpyc

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
cache_lock = threading.Lock()
prices = {}


def on_change(article, price):
    with cache_lock:
        prices[article] = price


def update_prices(connection):
    with cache_lock:
        prices.clear()
        connection.root.update(on_change)


if __name__ == "__main__":
    port = start("rpyc_server")
    connection = rpyc.connect("127.0.0.1", port, config={"sync_request_timeout": None})
    print("MARK main pid=%d" % os.getpid())
    update_prices(connection)
