import os
import signal
import sqlite3
import threading
import time

signal.alarm(120)


class Depot:
    def __init__(self):
        self.book = sqlite3.connect(":memory:", check_same_thread=False)
        self.book.execute("create table parcels (name text)")
        self.book.executemany("insert into parcels values (?)", [("p%d" % n,) for n in range(1000)])
        self.book.create_function("weigh", 1, self.weigh)
        self.scale_used = threading.Event()

    def weigh(self, name):
        self.scale_used.set()
        time.sleep(0.05)
        return len(name)

    def total_weight(self):
        return self.book.execute("select sum(weigh(name)) from parcels").fetchone()

    def load_tariff(self, factor):
        self.book.create_function("postage", 1, lambda weight: weight * factor)


def weigh_all(depot):
    while True:
        print(depot.total_weight())


if __name__ == "__main__":
    depot = Depot()
    threading.Thread(target=weigh_all, args=(depot,), name="scale", daemon=True).start()
    depot.scale_used.wait()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    depot.load_tariff(3)
    threading.Event().wait(110)
