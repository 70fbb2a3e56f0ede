"""AsyncConnectionPool of psycopg, with the PostgreSQL that PGHOST and PGPORT name."""

import psycopg_pool


async def taking_async(size):
    pool = psycopg_pool.AsyncConnectionPool("", min_size=1, max_size=size, open=False)
    await pool.open()
    return lambda: pool.connection(timeout=600)
