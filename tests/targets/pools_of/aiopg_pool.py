"""A pool of aiopg, with the PostgreSQL that PGHOST and PGPORT name."""

import aiopg


async def taking_async(size):
    pool = await aiopg.create_pool("", minsize=1, maxsize=size, timeout=600)
    return pool.acquire
