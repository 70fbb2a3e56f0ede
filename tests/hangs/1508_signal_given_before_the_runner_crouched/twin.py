import asyncio
import os

from track.stadium import Stadium

EAGER = False


async def main():
    if EAGER:
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await Stadium(["meadow", "harbour", "hill"]).open()


if __name__ == "__main__":
    asyncio.run(main())
