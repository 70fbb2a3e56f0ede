import asyncio
import importlib


class Order:
    def __init__(self, number, goods):
        self.number = number
        self.goods = goods
        self.done = asyncio.get_running_loop().create_future()


class Storefront:
    def __init__(self, app):
        self.app = app
        self.number = 0

    def write(self, goods):
        self.number += 1
        return Order(self.number, goods)

    async def sell(self, goods):
        order = self.write(goods)
        self.app.desk.seen += 1
        await self.app.desk.orders.put(order)
        return await order.done


async def take_orders():
    front = Storefront(importlib.import_module("main"))
    while True:
        for goods in ("tea", "salt", "twine"):
            await front.sell(goods)
            await asyncio.sleep(0.05)
