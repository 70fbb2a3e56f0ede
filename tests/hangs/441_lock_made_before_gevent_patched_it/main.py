import os
import signal
import sys

from stock import stock

signal.alarm(120)


def serve_customers(count):
    import gevent
    from gevent import monkey

    monkey.patch_all()
    customers = [gevent.spawn(stock.take, "tea") for _ in range(count)]
    gevent.joinall(customers)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    sys.stdout.flush()
    serve_customers(3)
