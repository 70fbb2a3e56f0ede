import asyncio
import os

from kitchen import Hall, Kitchen, candles, start_database

WRITE_FIRST = True


async def main(address):
    hall = Hall(address, WRITE_FIRST)
    async with asyncio.TaskGroup() as group:
        group.create_task(Kitchen(address).cook(), name="cook")
        group.create_task(hall.hear(), name="hear")
        group.create_task(candles(), name="candles")
        group.create_task(hall.evening(), name="evening")


if __name__ == "__main__":
    address = start_database()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main(address))
