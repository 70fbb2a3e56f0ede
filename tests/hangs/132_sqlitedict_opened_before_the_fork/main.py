import multiprocessing
import os
import signal
import tempfile

from sqlitedict import SqliteDict

signal.alarm(120)


def look_up(prices, name):
    signal.alarm(120)
    return prices[name]


def print_price(prices, name):
    clerk = multiprocessing.Process(target=look_up, args=(prices, name), name="clerk")
    clerk.start()
    print("MARK clerk pid=%d" % clerk.pid)
    clerk.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    prices = SqliteDict(os.path.join(tempfile.mkdtemp(), "prices.sqlite"), autocommit=True)
    prices["pear"] = 3
    print("MARK main pid=%d" % os.getpid())
    print_price(prices, "pear")
