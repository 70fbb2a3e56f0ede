import asyncio
import os
import signal

signal.alarm(120)

heights = {"north": 3, "south": 4, "east": None}


async def exchange_borders(barrier, height):
    await barrier.wait()
    return height


async def compute_region(barrier, name):
    await asyncio.sleep(0.05)
    return await exchange_borders(barrier, heights[name] + 1)


async def simulate():
    barrier = asyncio.Barrier(len(heights))
    tasks = [asyncio.create_task(compute_region(barrier, name), name=name) for name in heights]
    await asyncio.wait(tasks)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(simulate())
