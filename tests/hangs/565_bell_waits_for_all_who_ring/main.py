import asyncio
import os
import signal

from pyee.asyncio import AsyncIOEventEmitter

signal.alarm(120)


class Shop:
    def __init__(self, bell):
        self.bell = bell
        self.served = 0
        self.closed = False
        bell.on("customer", self.serve)
        bell.on("closing", self.close)

    async def serve(self, name):
        await asyncio.sleep(0.05)
        self.served += 1

    async def close(self):
        await self.bell.wait_for_complete()
        self.closed = True


async def run_day(names):
    bell = AsyncIOEventEmitter()
    shop = Shop(bell)
    for name in names:
        bell.emit("customer", name)
    await asyncio.sleep(0.01)
    bell.emit("closing")
    await bell.wait_for_complete()
    return shop.served


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_day(["ann", "bob", "cleo"]))
