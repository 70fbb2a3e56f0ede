import asyncio
import os
import time

import aiomisc
from aiothreads import sync_await

HOUSES = 1


@aiomisc.threaded
def draw_plan(house):
    time.sleep(0.01)
    return "plan of %s" % house


class Office:
    def __init__(self):
        self.drawn = []

    async def ask_plan(self, house):
        return await draw_plan(house)

    @aiomisc.threaded
    def draw_house(self, house):
        time.sleep(0.05)
        plan = sync_await(self.ask_plan, house)
        self.drawn.append((house, plan))

    async def work(self):
        while True:
            await asyncio.gather(*[self.draw_house("house-%d" % n) for n in range(HOUSES)])
            self.drawn.clear()
            await asyncio.sleep(0.05)


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await Office().work()


if __name__ == "__main__":
    with aiomisc.entrypoint(pool_size=2, log_config=False) as loop:
        loop.run_until_complete(main())
