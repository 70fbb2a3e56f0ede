import asyncio
import os

from ship import Helm, Log, Rudder

HARD = False


async def main():
    rudder = Rudder()
    helm = asyncio.create_task(Helm(rudder, 0.4).steer(HARD), name="helm")
    log = asyncio.create_task(Log(rudder).keep(), name="log")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(helm, log)


if __name__ == "__main__":
    asyncio.run(main())
