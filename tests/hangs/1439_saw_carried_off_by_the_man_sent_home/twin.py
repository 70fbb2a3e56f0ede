import asyncio
import os

from sawmill.mill import season

SAWS = 3


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    asyncio.run(season(SAWS, ready))
