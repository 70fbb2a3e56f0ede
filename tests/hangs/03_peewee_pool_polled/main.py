import os
import signal
import threading

from playhouse.pool import PooledSqliteDatabase

signal.alarm(120)
database = PooledSqliteDatabase(":memory:", max_connections=1, timeout=0, stale_timeout=None)
imported = threading.Event()
accepted = threading.Event()


def import_rows():
    with database.connection_context():
        database.execute_sql("create table if not exists row (id integer)")
        imported.set()
        accepted.wait()


def count_rows():
    with database.connection_context():
        return database.execute_sql("select count(*) from sqlite_master").fetchone()


def check_import():
    threading.Thread(target=import_rows, name="importer").start()
    imported.wait()
    count_rows()
    accepted.set()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    check_import()
