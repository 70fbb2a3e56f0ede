import os
import signal
import sys
import threading
import time

import psycopg2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
cache_lock = threading.Lock()


def open_shop(port):
    shop = psycopg2.connect(
        host="127.0.0.1", port=port, user="shop", sslmode="disable", gssencmode="disable"
    )
    shop.autocommit = True
    return shop


def lock_prices(shop):
    shop.cursor().execute("SELECT pg_advisory_lock(7)")


def unlock_prices(shop):
    shop.cursor().execute("SELECT pg_advisory_unlock(7)")


def import_prices(port):
    shop = open_shop(port)
    while True:
        lock_prices(shop)
        with cache_lock:
            time.sleep(0.02)
        unlock_prices(shop)
        time.sleep(0.03)


def refresh_cache(port):
    shop = open_shop(port)
    while True:
        lock_prices(shop)
        with cache_lock:
            time.sleep(0.02)
        unlock_prices(shop)
        time.sleep(0.03)


if __name__ == "__main__":
    port = start("postgres_lock_server")
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=import_prices, args=(port,), name="importer").start()
    refresh_cache(port)
