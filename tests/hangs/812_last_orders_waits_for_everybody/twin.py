import asyncio
import os
import signal

from bar import Bar

signal.alarm(120)


class CarefulBar(Bar):
    async def finish_orders(self):
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})


async def run_evening():
    bar = CarefulBar()
    while True:
        bar.take_orders(["ann", "bob", "cid"])
        await bar.finish_orders()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_evening())
