import os
import signal
import sqlite3
import subprocess
import sys
import tempfile

signal.alarm(120)
COUNT_ORDERS = """
import sqlite3, sys
shop = sqlite3.connect(sys.argv[1], timeout=3600)
with shop:
    shop.execute("UPDATE totals SET orders = (SELECT COUNT(*) FROM orders)")
"""


def count_orders(path):
    subprocess.run([sys.executable, "-c", COUNT_ORDERS, path], check=True)


def take_order(shop, path, name):
    with shop:
        shop.execute("INSERT INTO orders VALUES (?)", (name,))
    count_orders(path)


def open_shop(path):
    shop = sqlite3.connect(path)
    shop.executescript("CREATE TABLE orders (name); CREATE TABLE totals (orders);")
    return shop


def run_shop(names):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shop.db")
        shop = open_shop(path)
        for name in names:
            take_order(shop, path, name)
        shop.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_shop(["apples", "pears"])
