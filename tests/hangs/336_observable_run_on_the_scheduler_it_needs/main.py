import os
import signal

import reactivex
from reactivex import operators as ops
from reactivex.scheduler import EventLoopScheduler

signal.alarm(120)
scheduler = EventLoopScheduler()


def load_rate(currency):
    rate = reactivex.of(currency).pipe(ops.map(len), ops.subscribe_on(scheduler))
    return rate.run()


def convert_orders(currencies):
    orders = reactivex.from_iterable(currencies).pipe(
        ops.subscribe_on(scheduler), ops.map(load_rate), ops.sum()
    )
    return orders.run()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    convert_orders(["euro", "yen", "krona"])
