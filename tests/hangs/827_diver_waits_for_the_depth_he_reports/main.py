import asyncio
import os
import signal

from dive import Diver, open_boat

signal.alarm(120)


async def main():
    diver = Diver(await open_boat())
    await diver.dive()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
