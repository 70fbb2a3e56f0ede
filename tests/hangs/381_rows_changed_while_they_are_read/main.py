import asyncio
import os
import signal

from databases import Database

signal.alarm(120)


async def mark_sent(stock, number):
    await stock.execute("update parcel set sent = 1 where number = :number", {"number": number})


async def send_parcels(stock):
    async for parcel in stock.iterate("select number from parcel where sent = 0"):
        await mark_sent(stock, parcel["number"])


async def main(path):
    async with Database("sqlite+aiosqlite:///" + path) as stock:
        await stock.execute("create table parcel (number integer, sent integer)")
        for number in range(3):
            await stock.execute("insert into parcel values (:number, 0)", {"number": number})
        print("MARK main pid=%d" % os.getpid())
        await send_parcels(stock)


if __name__ == "__main__":
    asyncio.run(main("/tmp/parcels-%d.sqlite" % os.getpid()))
