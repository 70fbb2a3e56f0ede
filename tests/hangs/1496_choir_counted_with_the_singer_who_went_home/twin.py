import asyncio
import os

from choir.conductor import Conductor, report

HIGHEST = -1


async def main():
    conductor = Conductor(3, HIGHEST)
    conductor.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    told = asyncio.create_task(report(conductor), name="report")
    while not told.done():
        await conductor.stage(0.6)


if __name__ == "__main__":
    asyncio.run(main())
