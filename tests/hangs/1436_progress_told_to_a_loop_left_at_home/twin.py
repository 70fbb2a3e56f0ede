import asyncio
import os
from concurrent.futures import ThreadPoolExecutor as Pool

from darkroom.lab import run


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    with Pool(2) as pool:
        asyncio.run(run(pool, ready))
