import asyncio
import os

from beacon import coast

SAME_LAMP = False

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(coast(SAME_LAMP))
