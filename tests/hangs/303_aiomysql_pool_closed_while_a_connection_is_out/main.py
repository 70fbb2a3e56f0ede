import asyncio
import os
import signal
import sys

import aiomysql

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

open_reports = []


async def open_report(pool, name):
    connection = await pool.acquire()
    open_reports.append((name, connection))
    async with connection.cursor() as cursor:
        await cursor.execute("UPDATE reports SET seen = 1")


async def stop_service(pool):
    pool.close()
    await pool.wait_closed()


async def run_service(port):
    pool = await aiomysql.create_pool(host="127.0.0.1", port=port, user="shop", maxsize=2)
    await open_report(pool, "sales")
    print("MARK main pid=%d" % os.getpid())
    await stop_service(pool)


if __name__ == "__main__":
    asyncio.run(run_service(start("mysql_server")))
