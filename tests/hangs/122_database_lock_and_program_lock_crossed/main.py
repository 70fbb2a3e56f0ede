import os
import signal
import sys
import threading

import psycopg2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
cache_lock = threading.Lock()
has_row, has_cache = threading.Event(), threading.Event()


def open_shop(port):
    shop = psycopg2.connect(
        host="127.0.0.1", port=port, user="shop", sslmode="disable", gssencmode="disable"
    )
    shop.autocommit = True
    return shop


def lock_prices(shop):
    shop.cursor().execute("SELECT pg_advisory_lock(7)")


def import_prices(port):
    shop = open_shop(port)
    lock_prices(shop)
    has_row.set()
    has_cache.wait()
    with cache_lock:
        print("prices imported")


def refresh_cache(port):
    shop = open_shop(port)
    with cache_lock:
        has_cache.set()
        has_row.wait()
        lock_prices(shop)


if __name__ == "__main__":
    port = start("postgres_lock_server")
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=import_prices, args=(port,), name="importer").start()
    refresh_cache(port)
