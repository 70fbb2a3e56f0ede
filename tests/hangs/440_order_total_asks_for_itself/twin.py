import asyncio
import os
import signal

from asyncstdlib import cached_property

signal.alarm(120)


class Order:
    def __init__(self, prices):
        self.prices = prices

    @cached_property(asyncio.Lock)
    async def total(self):
        await asyncio.sleep(0.02)
        return sum(self.prices) - await self.discount()

    async def discount(self):
        if len(self.prices) > 2:
            return sum(self.prices) // 10
        return 0


async def bill(orders):
    return [await order.total for order in orders]


async def main():
    print("MARK main pid=%d" % os.getpid())
    while True:
        await bill([Order([3, 4]), Order([1, 2, 3])])


if __name__ == "__main__":
    asyncio.run(main())
