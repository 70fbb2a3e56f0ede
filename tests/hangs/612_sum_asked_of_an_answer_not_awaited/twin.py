import asyncio
import os
import time

import ray
from ray import serve

ray.init(num_cpus=6, include_dashboard=False, log_to_driver=False)


@serve.deployment
class Price:
    async def __call__(self, item):
        await asyncio.sleep(0.05)
        return item * 2


@serve.deployment
class Tax:
    async def __call__(self, price):
        await asyncio.sleep(0.05)
        return price * 3


@serve.deployment
class Label:
    async def __call__(self, taxed):
        await asyncio.sleep(0.05)
        return taxed * 4


@serve.deployment
class Shop:
    def __init__(self, price, tax, label):
        self.price, self.tax, self.label = price, tax, label

    async def __call__(self, item):
        priced = self.price.remote(item)
        taxed = self.tax.remote(await priced)
        labelled = self.label.remote(await taxed)
        return await labelled


def buy(shop, item):
    return shop.remote(item).result()


shop = serve.run(Shop.bind(Price.bind(), Tax.bind(), Label.bind()))
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    buy(shop, 5)
    time.sleep(0.01)
