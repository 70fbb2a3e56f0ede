import asyncio
import os
import signal
import sys

import psycopg

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Desk:
    def __init__(self, address):
        self.address = address

    async def open(self):
        self.connection = await psycopg.AsyncConnection.connect(self.address, autocommit=True)
        await self.connection.execute("listen orders")

    async def mark_order(self, number):
        await self.connection.execute("update orders set seen = true where number = %d" % number)

    async def follow_orders(self):
        async for notice in self.connection.notifies():
            await self.mark_order(int(notice.payload))


async def run_desk(address):
    desk = Desk(address)
    await desk.open()
    await desk.follow_orders()


if __name__ == "__main__":
    address = "host=127.0.0.1 port=%d user=shop sslmode=disable gssencmode=disable" % start(
        "postgres_notify_server"
    )
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(run_desk(address))
