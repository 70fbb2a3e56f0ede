import asyncio
import os

from canal.barge import traffic
from canal.link import CalmLink


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    asyncio.run(traffic(CalmLink, ready))
