from gevent import monkey

monkey.patch_all()

import os
import signal

import gevent
from gevent.pool import Pool

signal.alarm(120)


def heartbeat():
    while True:
        gevent.sleep(0.5)


def fetch_picture(number, picture):
    gevent.sleep(0.05)


def fetch_page(pool, number):
    gevent.sleep(0.05)
    for picture in range(3):
        pool.spawn(fetch_picture, number, picture)


def print_album(pages):
    pool, pictures = Pool(2), Pool(2)
    for number in range(pages):
        pool.spawn(fetch_page, pictures, number)
    pool.join()
    pictures.join()


if __name__ == "__main__":
    gevent.spawn(heartbeat)
    print("MARK main pid=%d" % os.getpid())
    while True:
        print_album(2)
