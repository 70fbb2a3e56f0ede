import asyncio
import os
import signal

signal.alarm(120)


async def call_one(limit, name):
    async with limit:
        await asyncio.sleep(0.02)
        return name.upper()


async def call_all(limit, names):
    async with limit:
        await asyncio.sleep(0.05)
        return [await call_one(limit, name) for name in names]


async def read_balances(size):
    limit = asyncio.Semaphore(size)
    batches = [["a", "b"], ["c", "d"]]
    tasks = [
        asyncio.create_task(call_all(limit, batch), name=f"batch-{n}")
        for n, batch in enumerate(batches)
    ]
    return await asyncio.gather(*tasks)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(read_balances(4))
