import os
import signal

import trio

signal.alarm(120)


async def run_depot(vans, task_status=trio.TASK_STATUS_IGNORED):
    first = await vans.receive()
    task_status.started(first)
    async for van in vans:
        print("loaded", van)


async def send_vans(depot, names):
    async with depot:
        for name in names:
            await depot.send(name)


async def open_depot(names):
    depot, vans = trio.open_memory_channel(0)
    async with trio.open_nursery() as nursery:
        first = await nursery.start(run_depot, vans)
        print("first van:", first)
        nursery.start_soon(send_vans, depot, names)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    trio.run(open_depot, ["red", "blue"])
