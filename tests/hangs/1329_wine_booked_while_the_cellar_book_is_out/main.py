import asyncio
import os
import tempfile

from cellar import Cellar

BOOKS = 1


async def harvest(cellar):
    number = 0
    while True:
        await cellar.store("riesling" if number % 2 else "silvaner")
        number += 1
        await asyncio.sleep(0.1)


async def thermometer(degrees):
    while True:
        degrees.append(11 + len(degrees) % 3)
        del degrees[:-60]
        await asyncio.sleep(1)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        cellar = Cellar(os.path.join(folder, "cellar.db"), BOOKS)
        await cellar.build()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        async with asyncio.TaskGroup() as group:
            group.create_task(harvest(cellar), name="harvest")
            group.create_task(thermometer([]), name="thermometer")


if __name__ == "__main__":
    asyncio.run(main())
