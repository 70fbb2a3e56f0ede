import asyncio
import os

from mosaic.yard import Yard, water

STONES = 40


async def main():
    yard = Yard(workers=2, notes=50, stones=STONES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    watered = asyncio.create_task(water(yard), name="water")
    number = 0
    while not watered.done():
        await yard.build(["wall-%d" % (number + n) for n in range(2)])
        yard.laid.clear()
        number += 2


if __name__ == "__main__":
    asyncio.run(main())
