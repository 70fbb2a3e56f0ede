import asyncio
import os

from kiosk.app import open_kiosk

WAIT_HERE = False


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    asyncio.run(open_kiosk(WAIT_HERE, ready))
