import os
import signal
import sys

import mysql.connector

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_shop(port):
    return mysql.connector.connect(
        host="127.0.0.1", port=port, user="shop", password="x", use_pure=True, ssl_disabled=True
    )


def query(connection, text):
    cursor = connection.cursor()
    cursor.execute(text)
    cursor.close()


def read_tokens(shop):
    query(shop, "UPDATE tokens SET seen = 1")


def add_column(port):
    with open_shop(port) as connection:
        query(connection, "ALTER TABLE tokens ADD COLUMN owner INT")


def migrate_shop(port):
    with open_shop(port) as shop:
        read_tokens(shop)
        add_column(port)
        shop.commit()


if __name__ == "__main__":
    port = start("mysql_server")
    print("MARK main pid=%d" % os.getpid())
    migrate_shop(port)
