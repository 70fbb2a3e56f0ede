"""A pool of asyncpg, with the PostgreSQL that PGHOST and PGPORT name."""

import asyncpg


async def taking_async(size):
    pool = await asyncpg.create_pool(min_size=1, max_size=size)
    return pool.acquire
