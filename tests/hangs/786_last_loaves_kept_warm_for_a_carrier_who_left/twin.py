import os
import signal

import anyio
from calm import CalmBakery

signal.alarm(120)


async def open_bakery(hours):
    bakery = CalmBakery()
    async with anyio.create_task_group() as staff:
        staff.start_soon(bakery.bake, name="baker")
        staff.start_soon(bakery.carry, name="carrier")
        await anyio.sleep(hours)
        staff.cancel_scope.cancel()
    return len(bakery.sold)


async def open_every_day():
    while True:
        await open_bakery(1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    anyio.run(open_every_day)
