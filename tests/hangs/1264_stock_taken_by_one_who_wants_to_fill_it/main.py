import asyncio
import os

import fakeredis


class Stock:
    def __init__(self, redis):
        self.redis = redis

    async def take(self, item, count):
        async with self.redis.lock("stock:%s" % item):
            left = int(await self.redis.get(item) or 0)
            if left < count:
                await self.refill(item)
            await self.redis.decrby(item, count)

    async def refill(self, item):
        async with self.redis.lock(SHELF % item):
            await self.redis.incrby(item, 10)


async def sell(stock):
    while True:
        await stock.take("lamp", 3)
        await asyncio.sleep(0.02)


async def main():
    redis = fakeredis.FakeAsyncRedis()
    await redis.set("lamp", 7)
    await asyncio.gather(asyncio.create_task(sell(Stock(redis)), name="seller"))


SHELF = "stock:%s"


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
