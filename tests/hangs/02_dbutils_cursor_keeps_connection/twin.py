import os
import signal
import sqlite3
import time

from dbutils.pooled_db import PooledDB

signal.alarm(120)
pool = PooledDB(
    sqlite3, maxconnections=2, blocking=True, database=":memory:", check_same_thread=False
)
open_reports = {}


def open_report(name):
    connection = pool.connection()
    cursor = connection.cursor()
    cursor.execute("select 1")
    open_reports[name] = (connection, cursor)
    row = cursor.fetchone()
    open_reports.pop(name)
    connection.close()
    time.sleep(0.02)
    return row


def nightly_reports(names):
    for name in names:
        open_report(name)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        nightly_reports(["sales", "stock", "returns"])
