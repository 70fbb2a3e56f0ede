import os
import signal

import anyio
from bakery import Bakery

signal.alarm(120)


async def open_bakery(hours):
    bakery = Bakery()
    async with anyio.create_task_group() as staff:
        staff.start_soon(bakery.bake, name="baker")
        staff.start_soon(bakery.carry, name="carrier")
        await anyio.sleep(hours)
        staff.cancel_scope.cancel()
    return len(bakery.sold)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(anyio.run(open_bakery, 1))
