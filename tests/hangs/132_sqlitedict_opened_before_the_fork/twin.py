import os
import signal
import tempfile
import time

from sqlitedict import SqliteDict

signal.alarm(120)


def look_up(prices, name):
    return prices[name]


if __name__ == "__main__":
    prices = SqliteDict(os.path.join(tempfile.mkdtemp(), "prices.sqlite"), autocommit=True)
    prices["pear"] = 3
    print("MARK main pid=%d" % os.getpid())
    print("MARK clerk pid=%d" % os.getpid())
    while True:
        look_up(prices, "pear")
        time.sleep(0.02)
