import os
import signal
import sys
import time

import pymysql

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_database(port):
    return pymysql.connect(host="127.0.0.1", port=port, user="shop", database="shop")


def load_prices(port):
    database = open_database(port)
    with database.cursor() as cursor:
        cursor.execute("select * from price")
        return cursor.fetchall()


if __name__ == "__main__":
    port = start("silent_server", "slow", 0.2)
    print("MARK main pid=%d" % os.getpid())
    while True:
        try:
            load_prices(port)
        except pymysql.Error:
            time.sleep(0.05)
