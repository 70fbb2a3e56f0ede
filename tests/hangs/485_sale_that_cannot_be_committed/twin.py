from gevent import monkey

monkey.patch_all()

import os
import signal
import sqlite3
import sys
import tempfile
import urllib.request

import gevent

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Till:
    def __init__(self, path, port):
        self.path = path
        self.address = "http://127.0.0.1:%d/slow" % port
        with sqlite3.connect(path) as shop:
            shop.execute("create table sales (name text)")
            shop.execute("create table visits (name text)")
        shop.close()

    def connect(self):
        return sqlite3.connect(self.path, timeout=3600)

    def record_sale(self, name):
        urllib.request.urlopen(self.address).read()
        with self.connect() as shop:
            shop.execute("insert into sales values (?)", (name,))

    def record_visit(self, name):
        with self.connect() as shop:
            shop.execute("insert into visits values (?)", (name,))


def serve_customer(till, name):
    jobs = [gevent.spawn(till.record_sale, name), gevent.spawn(till.record_visit, name)]
    gevent.joinall(jobs, raise_error=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        till = Till(os.path.join(folder, "shop.db"), start("http_server"))
        print("MARK main pid=%d" % os.getpid())
        while True:
            serve_customer(till, "ann")
