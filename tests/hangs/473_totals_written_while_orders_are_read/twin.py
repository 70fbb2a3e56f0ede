import os
import signal
import sqlite3
import tempfile

import pandas

signal.alarm(120)


def fill_orders(path):
    with sqlite3.connect(path) as shop:
        shop.execute("create table orders (number integer, pieces integer, price real)")
        rows = [(number, number % 7, 2.5) for number in range(5000)]
        shop.executemany("insert into orders values (?, ?, ?)", rows)
    shop.close()


def write_totals(path):
    source, target = sqlite3.connect(path), sqlite3.connect(path, timeout=3600)
    orders = pandas.read_sql_query("select * from orders", source)
    orders["total"] = orders["pieces"] * orders["price"]
    orders.to_sql("totals", target, if_exists="append", index=False)
    source.close()
    target.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shop.db")
        fill_orders(path)
        print("MARK main pid=%d" % os.getpid())
        while True:
            write_totals(path)
