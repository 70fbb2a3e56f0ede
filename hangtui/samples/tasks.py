"""Two tasks of asyncio take two locks in opposite order, while their loop goes on ticking."""

import asyncio

from sample import ready


async def reserve(first, second, both_have_one):
    async with first:
        await both_have_one.wait()
        async with second:
            pass


async def heartbeat():
    while True:
        await asyncio.sleep(0.5)


async def main():
    seats, payments, both_have_one = asyncio.Lock(), asyncio.Lock(), asyncio.Barrier(3)
    tasks = [
        asyncio.create_task(reserve(seats, payments, both_have_one), name="booking"),
        asyncio.create_task(reserve(payments, seats, both_have_one), name="refund"),
        asyncio.create_task(heartbeat(), name="heartbeat"),
    ]
    await both_have_one.wait()
    ready()
    await asyncio.gather(*tasks)


asyncio.run(main())
