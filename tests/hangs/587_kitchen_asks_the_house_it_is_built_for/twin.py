import asyncio
import os
import signal

from dishka import Provider, Scope, make_async_container, provide

signal.alarm(120)


class Stove:
    def __init__(self):
        self.heat = 0


class Kitchen:
    def __init__(self, stove):
        self.stove = stove


class House(Provider):
    scope = Scope.APP

    @provide
    def stove(self) -> Stove:
        return Stove()

    @provide
    async def kitchen(self, stove: Stove) -> Kitchen:
        await asyncio.sleep(0.02)
        return Kitchen(stove)


async def cook(dish, rooms):
    kitchen = await rooms.get(Kitchen)
    kitchen.stove.heat += 1
    return dish


async def open_house():
    rooms = make_async_container(House(), lock_factory=asyncio.Lock)
    return await asyncio.gather(cook("soup", rooms), cook("stew", rooms))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(open_house())
