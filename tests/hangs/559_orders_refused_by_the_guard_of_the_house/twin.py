import os
import signal
import sys
import time

import gevent
from gevent.threadpool import ThreadPool

signal.alarm(120)

FORBIDDEN = {"sys.setprofile", "sys.settrace"}
strict = []


def guard(event, arguments):
    if strict and event in FORBIDDEN:
        raise PermissionError(event)


class Printer:
    def __init__(self):
        self.pool = ThreadPool(2)

    def render(self, order):
        time.sleep(0.02)
        return "order %d" % order

    def print_order(self, order):
        return self.pool.spawn(self.render, order).get()


def print_orders(printer, orders):
    jobs = [gevent.spawn(printer.print_order, order) for order in orders]
    gevent.joinall(jobs)
    return [job.value for job in jobs]


def tick():
    while True:
        gevent.sleep(5)


if __name__ == "__main__":
    sys.addaudithook(guard)
    printer = Printer()
    gevent.spawn(tick)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print_orders(printer, range(4))
    while True:
        print_orders(printer, range(4))
