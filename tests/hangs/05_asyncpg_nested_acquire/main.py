import asyncio
import os
import signal
import sys

import asyncpg

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


async def write_journal(pool, text):
    async with pool.acquire() as connection:
        await connection.execute(f"insert into journal values ('{text}')")


async def transfer(pool, n, both):
    async with pool.acquire() as connection:
        await connection.execute("update account set amount = amount + 1")
        await both.wait()
        await write_journal(pool, f"transfer {n}")


async def book(pool):
    both = asyncio.Barrier(2)
    async with asyncio.TaskGroup() as group:
        for n in range(2):
            group.create_task(transfer(pool, n, both), name=f"transfer-{n}")


async def main(port):
    address = {"host": "127.0.0.1", "port": port, "user": "bank", "database": "bank", "ssl": False}
    async with asyncpg.create_pool(min_size=1, max_size=2, **address) as pool:
        print("MARK main pid=%d" % os.getpid())
        await book(pool)


if __name__ == "__main__":
    asyncio.run(main(start("postgres_server")))
