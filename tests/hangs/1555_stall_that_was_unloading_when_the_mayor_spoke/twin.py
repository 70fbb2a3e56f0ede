import asyncio
import os

from fair.ground import Fair


async def main(looks):
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await Fair().hold(looks)


if __name__ == "__main__":
    asyncio.run(main(looks=True))
