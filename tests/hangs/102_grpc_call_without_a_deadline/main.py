import os
import signal
import sys

import grpc

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Stock:
    def __init__(self, port):
        self.channel = grpc.insecure_channel("127.0.0.1:%d" % port)
        self.count = self.channel.unary_unary("/shop.Stock/Count")


def count_stock(stock, name):
    return int(stock.count(name.encode()))


def check_stock(stock, names):
    for name in names:
        count_stock(stock, name)


if __name__ == "__main__":
    stock = Stock(start("grpc_server", "silent"))
    print("MARK main pid=%d" % os.getpid())
    check_stock(stock, ["apple", "pear"])
