import asyncio
import os
import threading

from asgiref.sync import sync_to_async

packed = threading.Event()


async def heat():
    while True:
        await asyncio.sleep(0.5)


def print_all():
    packed.wait(LIMIT)


async def letters():
    printing = asyncio.create_task(sync_to_async(print_all)(), name="printing")
    await asyncio.sleep(0.1)
    await sync_to_async(packed.set)()
    await printing


async def main():
    heating = asyncio.create_task(heat(), name="heating")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await letters()
    heating.cancel()


LIMIT = 60


if __name__ == "__main__":
    asyncio.run(main())
