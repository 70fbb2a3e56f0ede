"""Threads that write to one SQLite database.

Usage: sqlite_writers.py KIND
KIND: ring, in which one keeps its transaction open until another one, which asks for the lock, has
written; wrapped, the same with an object of its own at hand, while a third thread sleeps; turns, in
which each writes and commits, for ever, after the main thread has ended.
"""

import os
import sqlite3
import sys
import tempfile
import threading
import time

from ready import ready

KIND = sys.argv[1]
FILE = os.path.join(tempfile.mkdtemp(prefix="hangtui-writers-"), "orders.db")
KEPT = []
BEGUN, SAVED = threading.Event(), threading.Event()


class Session:
    """What a library gives its users in place of the connection."""

    def __init__(self):
        self._dbapi_connection = connect()

    def write(self, number):
        self._dbapi_connection.execute("INSERT INTO orders VALUES (?)", (number,))


def connect():
    return sqlite3.connect(FILE, timeout=1000, isolation_level=None)


def begin():
    session = Session()
    session._dbapi_connection.execute("BEGIN IMMEDIATE")
    session.write(1)
    BEGUN.set()
    return session


def import_orders():
    KEPT.append(begin())
    SAVED.wait()


def import_at_hand():
    session = begin()
    SAVED.wait()
    session.write(3)


def save_order():
    session = Session()
    BEGUN.wait()
    threading.Timer(0.5, ready).start()
    session.write(2)
    SAVED.set()


def rest():
    while True:
        time.sleep(60)


def take_turns(number):
    session = Session()
    while True:
        session._dbapi_connection.execute("BEGIN IMMEDIATE")
        session.write(number)
        time.sleep(0.2)
        session._dbapi_connection.execute("COMMIT")
        time.sleep(0.1)


def main():
    connect().execute("CREATE TABLE orders (number)")
    if KIND == "turns":
        for number in range(3):
            threading.Thread(target=take_turns, args=(number,), name="clerk-%d" % number).start()
        ready()
        return
    imports = [import_at_hand, rest] if KIND == "wrapped" else [import_orders]
    functions = (save_order, *imports)
    threads = [threading.Thread(target=one, name=one.__name__) for one in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
