import asyncio
import os

from garden import Bed, Gardener, Paths, sprinkler

SECOND_WEEDS_AFTER = 5


async def main():
    paths = Paths()
    roses = [Bed("roses"), Bed("lavender")]
    beans = [Bed("beans"), Bed("peas")]
    tasks = [
        asyncio.create_task(Gardener(paths, roses, 5).day(), name="flowers"),
        asyncio.create_task(Gardener(paths, beans, SECOND_WEEDS_AFTER).day(), name="vegetables"),
        asyncio.create_task(sprinkler([]), name="sprinkler"),
    ]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
