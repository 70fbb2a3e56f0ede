import os
import signal
import time

from twisted.internet import reactor, threads

signal.alarm(120)


class Stock:
    def __init__(self):
        self.shelves = {"bread": 3, "milk": 5}

    def read(self, name):
        return self.shelves[name]


def write_report(stock, names):
    lines = []
    for name in names:
        time.sleep(1)
        lines.append((name, threads.blockingCallFromThread(reactor, stock.read, name)))
    return lines


def run_shop(stock):
    threads.deferToThread(write_report, stock, ["bread", "milk"] * 50)
    reactor.callLater(1.5, reactor.stop)


if __name__ == "__main__":
    reactor.callWhenRunning(run_shop, Stock())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    reactor.run()
