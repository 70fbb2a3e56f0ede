import asyncio
import os
import signal

signal.alarm(120)


async def follow_tides(stations):
    acknowledged = asyncio.Event()
    try:
        for name, level in stations:
            await asyncio.sleep(0.02)
            yield name, level
    finally:
        acknowledged.set()
        await acknowledged.wait()


async def find_flood(tides, limit):
    async for name, level in tides:
        if level > limit:
            return name


async def main():
    print("MARK main pid=%d" % os.getpid())
    while True:
        tides = follow_tides([("Husum", 3.1), ("Emden", 4.4), ("Bremen", 2.9)])
        await find_flood(tides, 4)


if __name__ == "__main__":
    asyncio.run(main())
