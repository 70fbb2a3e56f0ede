"""Two greenlets of gevent's take two semaphores in opposite order, beside one that goes on: gevent
itself notices only that nobody could go on any more."""

import gevent
from gevent.lock import BoundedSemaphore


def move(first, second):
    with first:
        gevent.sleep(0)
        with second:
            pass


def beat():
    while True:
        gevent.sleep(0.05)


def test_before():
    pass


def test_moves():
    red, blue = BoundedSemaphore(), BoundedSemaphore()
    gevent.spawn(beat)
    gevent.joinall([gevent.spawn(move, red, blue), gevent.spawn(move, blue, red)])


def test_after():
    pass
