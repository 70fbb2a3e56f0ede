import os
import signal
import sys

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
    port = start("silent_server")
    print("MARK main pid=%d" % os.getpid())
    load_prices(port)
