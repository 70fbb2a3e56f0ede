"""PooledSqliteDatabase of peewee: one connection for each thread, and a pool that is polled."""

from contextlib import contextmanager

from playhouse.pool import PooledSqliteDatabase


def taking(size):
    database = PooledSqliteDatabase(":memory:", max_connections=size, timeout=600)

    @contextmanager
    def connected():
        database.connect(reuse_if_open=True)
        try:
            yield database
        finally:
            database.close()

    return connected
