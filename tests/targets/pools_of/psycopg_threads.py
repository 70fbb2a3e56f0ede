"""ConnectionPool of psycopg, with the PostgreSQL that PGHOST and PGPORT name."""

import psycopg_pool


def taking(size):
    pool = psycopg_pool.ConnectionPool("", min_size=1, max_size=size, open=True)
    return lambda: pool.connection(timeout=600)
