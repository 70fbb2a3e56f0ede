from gevent import monkey

monkey.patch_all()

import os
import signal

import gevent
from stock import stock

signal.alarm(120)


def serve_customers(count):
    customers = [gevent.spawn(stock.take, "tea") for _ in range(count)]
    gevent.joinall(customers)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        serve_customers(3)
