"""pools.py LIBRARY VARIANT: threads or tasks that take two connections of a small pool each.

hung: both have one and ask for another; slow: each gives its one back after a while, and others
wait for it; free: there are enough; kept: those who have one keep it, and wait for something else;
polls: the same, and they look for that again and again.
"""

import asyncio
import importlib
import sys
import threading
import time

from ready import ready

SIZES = {"hung": 2, "slow": 2, "free": 8, "kept": 2, "polls": 2}
ENDED = threading.Event()


def write_audit(take):
    with take() as connection:
        time.sleep(0.05)
        return connection


def place_order(take, both, variant):
    while True:
        with take() as connection:
            if variant == "slow":
                time.sleep(0.3)
            elif variant == "kept":
                time.sleep(300)
            elif variant == "polls":
                while not ENDED.is_set():
                    time.sleep(0.1)
            else:
                both.wait()
                write_audit(take)
            del connection
        time.sleep(0.01)


async def write_audit_async(take):
    async with take() as connection:
        await asyncio.sleep(0.05)
        return connection


async def place_order_async(take, both, variant):
    while True:
        async with take() as connection:
            if variant == "slow":
                await asyncio.sleep(0.3)
            elif variant == "kept":
                await asyncio.Event().wait()
            else:
                await both()
                await write_audit_async(take)
            del connection
        await asyncio.sleep(0.01)


def in_threads(take, variant):
    number = 3 if variant in ("slow", "kept", "polls") else 2
    both = threading.Barrier(2)
    for n in range(number):
        threading.Thread(
            target=place_order, args=(take, both, variant), name=f"order-{n}", daemon=True
        ).start()
    ready()
    threading.Event().wait(300)


async def in_tasks(take, variant):
    number = 3 if variant in ("slow", "kept") else 2
    here, event = [0], [asyncio.Event()]

    async def both():
        here[0] += 1
        mine = event[0]
        if here[0] % 2 == 0:
            event[0] = asyncio.Event()
            mine.set()
        await mine.wait()

    tasks = [
        asyncio.create_task(place_order_async(take, both, variant), name=f"order-{n}")
        for n in range(number)
    ]
    ready()
    await asyncio.wait(tasks)


def main():
    library, variant = sys.argv[1:]
    module = importlib.import_module(f"pools_of.{library}")
    size = SIZES[variant]
    if hasattr(module, "taking"):
        in_threads(module.taking(size), variant)
    else:

        async def run():
            await in_tasks(await module.taking_async(size), variant)

        asyncio.run(run())


if __name__ == "__main__":
    main()
