import asyncio
import os

from engine import serve

CLEAR_FIRST = True

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve(CLEAR_FIRST))
