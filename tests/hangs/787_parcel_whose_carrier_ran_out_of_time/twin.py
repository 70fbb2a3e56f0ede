from gevent import monkey

monkey.patch_all()

import os
import signal

import gevent
from patient import Depot, watch_clock

signal.alarm(120)


def deliver_days(depot, doors):
    gevent.spawn(watch_clock)
    gevent.spawn(depot.carry)
    while True:
        depot.deliver(doors)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    deliver_days(Depot(0.5), [0.1, 0.2, 3600, 0.1])
