import multiprocessing
import os
import signal
import sys

from pymemcache.client.base import Client

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

cache = Client(("127.0.0.1", start("memcached_server")))


def count_visit(page):
    return cache.add("visited:%s" % page, 1, noreply=False)


def count_visits(pages):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        return pool.map(count_visit, pages, chunksize=1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    cache.flush_all(noreply=False)
    while True:
        count_visits(["news", "tea", "jam", "help"] * 20)
