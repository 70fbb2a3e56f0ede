import os
import signal

import trio

signal.alarm(120)


async def run_depot(vans, task_status=trio.TASK_STATUS_IGNORED):
    task_status.started("none yet")
    async for van in vans:
        await trio.sleep(0.05)


async def send_vans(depot, names):
    async with depot:
        for name in names:
            await depot.send(name)


async def open_depot(names):
    depot, vans = trio.open_memory_channel(0)
    async with trio.open_nursery() as nursery:
        first = await nursery.start(run_depot, vans)
        assert first
        nursery.start_soon(send_vans, depot, names)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        trio.run(open_depot, ["red", "blue"])
