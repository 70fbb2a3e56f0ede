import asyncio
import os

from foundry import Foundry, Season, keep_fire

DRAIN_FIRST = True


async def main():
    fire = asyncio.create_task(keep_fire(), name="fire")
    season = asyncio.create_task(Season(lambda: Foundry(3, DRAIN_FIRST)).run(), name="season")
    await asyncio.gather(fire, season)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
