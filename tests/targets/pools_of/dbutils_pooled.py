"""PooledDB of DBUtils."""

import sqlite3
from contextlib import closing

from dbutils.pooled_db import PooledDB


def taking(size):
    pool = PooledDB(
        sqlite3, maxconnections=size, blocking=True, database=":memory:", check_same_thread=False
    )
    return lambda: closing(pool.connection())
