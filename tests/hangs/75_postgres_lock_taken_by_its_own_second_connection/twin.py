import contextlib
import os
import signal
import sys
import time

from pg8000.native import Connection

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


@contextlib.contextmanager
def locked_database(port):
    database = Connection("shop", host="127.0.0.1", port=port, ssl_context=False)
    database.run("select pg_advisory_lock(1000)")
    try:
        yield database
    finally:
        database.run("select pg_advisory_unlock(1000)")
        database.close()


def migrate_schema(port, name):
    with locked_database(port) as database:
        database.run("create table %s (id integer)" % name)


def migrate_all(port, names):
    with locked_database(port) as database:
        database.run("create table migration (name text)")
    for name in names:
        migrate_schema(port, name)


if __name__ == "__main__":
    port = start("postgres_lock_server")
    print("MARK main pid=%d" % os.getpid())
    while True:
        migrate_all(port, ["article", "customer"])
        time.sleep(0.02)
