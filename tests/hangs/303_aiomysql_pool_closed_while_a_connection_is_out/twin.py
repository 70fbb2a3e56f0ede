import asyncio
import os
import signal
import sys

import aiomysql

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


async def open_report(pool, name):
    async with pool.acquire() as connection, connection.cursor() as cursor:
        await cursor.execute("UPDATE reports SET seen = 1")
        await asyncio.sleep(0.05)


async def stop_service(pool):
    pool.close()
    await pool.wait_closed()


async def run_service(port):
    pool = await aiomysql.create_pool(host="127.0.0.1", port=port, user="shop", maxsize=2)
    for _ in range(5):
        await open_report(pool, "sales")
    await stop_service(pool)


async def run_for_ever(port):
    print("MARK main pid=%d" % os.getpid())
    while True:
        await run_service(port)


if __name__ == "__main__":
    asyncio.run(run_for_ever(start("mysql_server")))
