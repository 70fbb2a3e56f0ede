import os
import signal

import reactivex
from reactivex import operators
from reactivex.scheduler import EventLoopScheduler

signal.alarm(120)

scheduler, prices_scheduler = EventLoopScheduler(), EventLoopScheduler()


def latest_price(name):
    prices = reactivex.from_iterable([3, 4, 5], scheduler=prices_scheduler)
    return prices.pipe(operators.last()).run()


def value_of(depot):
    shares = reactivex.from_iterable(depot.items(), scheduler=scheduler)
    worth = operators.map(lambda share: latest_price(share[0]) * share[1])
    return shares.pipe(worth, operators.sum()).run()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        value_of({"Kiel": 7, "Ulm": 2})
