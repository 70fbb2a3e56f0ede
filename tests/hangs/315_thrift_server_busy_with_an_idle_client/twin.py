import os
import signal
import sys

import thriftpy2
from thriftpy2.rpc import make_client

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

HERE = os.path.dirname(os.path.abspath(__file__))
stock = thriftpy2.load(
    os.path.join(HERE, "..", "common", "stock.thrift"), module_name="stock_thrift"
)


def open_monitor(port):
    monitor = make_client(stock.Stock, "127.0.0.1", port, timeout=None)
    monitor.count("tea")
    return monitor


def count_items(port, name):
    client = make_client(stock.Stock, "127.0.0.1", port, timeout=None)
    found = client.count(name)
    client.close()
    return found


if __name__ == "__main__":
    port = start("thrift_server", "threaded")
    monitor = open_monitor(port)
    print("MARK main pid=%d" % os.getpid())
    while True:
        count_items(port, "coffee")
