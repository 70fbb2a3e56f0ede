import asyncio
import os
import signal

from bar import Bar

signal.alarm(120)


async def run_evening():
    bar = Bar()
    bar.take_orders(["ann", "bob", "cid"])
    await bar.finish_orders()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_evening())
