import itertools
import os

import gevent

from roastery import Oven, Profile, Roastery, Thermometer

LAST_MOISTURE = 0


def profiles():
    for number in itertools.count():
        yield Profile("santos-%d" % (number % 3), 3 + number % 4, 8 + number % 5)
        if number == 12:
            yield Profile("sidamo", 3, LAST_MOISTURE)


def open_day():
    house = Roastery(Oven())
    planner = gevent.spawn(house.plan, profiles())
    panel = gevent.spawn(Thermometer().watch)
    taster = gevent.spawn(house.taste)
    gevent.joinall([planner, panel, taster])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_day()
