import asyncio
import concurrent.futures
import os
import time

from unsync import unsync

KNOWN = {"tea": 4, "rice": 2, "salt": 1}


@unsync
async def load_price(item):
    await asyncio.sleep(0.01)
    return len(item)


class PriceList:
    def __init__(self):
        self.prices = dict(KNOWN)
        self.pool = concurrent.futures.ThreadPoolExecutor(2, thread_name_prefix="prices")

    def fetch(self, item):
        return load_price(item).result()

    def get(self, item):
        if item not in self.prices:
            self.prices[item] = self.pool.submit(self.fetch, item).result()
        return self.prices[item]


class Basket:
    def __init__(self, prices):
        self.prices = prices
        self.items = ["tea", "rice", "salt"]

    @unsync
    async def total(self):
        amount = 0
        for item in self.items:
            amount += self.prices.get(item)
            await asyncio.sleep(0.01)
        return amount


def run_shop():
    prices = PriceList()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Basket(prices).total().result()
        time.sleep(0.05)


if __name__ == "__main__":
    run_shop()
