import asyncio
import os

from redis.asyncio import Redis
from saq import Worker
from saq.queue.redis import RedisQueue

from ledger.jobs import FUNCTIONS
from ledger.store import Store

CONCURRENCY = 8


async def order(queue):
    year = 2000
    while True:
        for name in ("ann", "bea"):
            await queue.enqueue("greet", name=name)
        await asyncio.gather(
            *(queue.apply("close_year", year=year + n) for n in range(2)), return_exceptions=True
        )
        year += 2
        await asyncio.sleep(0.05)


async def prepare(ctx):
    print("MARK main pid=%d" % os.getpid(), flush=True)


async def unlimited(ctx):
    ctx["job"].timeout = 0


async def main():
    queue = RedisQueue(Redis(unix_socket_path=Store().path))
    await queue.connect()
    worker = Worker(
        queue, FUNCTIONS, concurrency=CONCURRENCY, startup=prepare, before_process=unlimited
    )
    orders = asyncio.create_task(order(queue), name="orders")
    await asyncio.gather(worker.start(), orders)


if __name__ == "__main__":
    asyncio.run(main())
