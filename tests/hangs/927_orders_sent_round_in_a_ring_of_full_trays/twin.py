import asyncio
import os

from streamz import Stream

PARTS = 1


class Workshop:
    def __init__(self):
        self.orders = Stream(asynchronous=True)
        self.parts = Stream(asynchronous=True)
        self.finished = 0
        self.orders.buffer(3).map(self.split).flatten().sink(self.pass_on)
        self.parts.buffer(3).filter(self.is_rough).sink(self.send_back)

    def split(self, order):
        depth, name = order
        if depth == 0:
            return [(0, name)]
        return [(depth - 1, "%s.%d" % (name, number)) for number in range(PARTS)]

    def pass_on(self, part):
        return self.parts.emit(part, asynchronous=True)

    def is_rough(self, part):
        if part[0] == 0:
            self.finished += 1
        return part[0] > 0

    def send_back(self, part):
        return self.orders.emit(part, asynchronous=True)

    async def take_order(self, name):
        await self.orders.emit((4, name), asynchronous=True)


async def main():
    workshop = Workshop()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        for name in ("table", "chair", "bench"):
            await workshop.take_order("%s-%d" % (name, day))
            await asyncio.sleep(0.05)
        day += 1


if __name__ == "__main__":
    asyncio.run(main())
