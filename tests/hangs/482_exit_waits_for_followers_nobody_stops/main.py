import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor

signal.alarm(120)


class Market:
    def __init__(self, names):
        self.names = names
        self.closed = multiprocessing.Event()
        self.pool = ProcessPoolExecutor(2, initializer=open_stall, initargs=(self.closed,))

    def open(self):
        return [self.pool.submit(follow_prices, name) for name in self.names]

    def close(self):
        self.closed.set()


def open_stall(closed):
    global market_closed
    market_closed = closed


def follow_prices(name):
    market_closed.wait()
    return name


def hold_market(names):
    market = Market(names)
    market.open()
    print("open", *names)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    hold_market(["fish", "fruit"])
