import asyncio
import os

from bindery.hall import Hall

SHIFT = 1500


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(Hall(SHIFT).run())
