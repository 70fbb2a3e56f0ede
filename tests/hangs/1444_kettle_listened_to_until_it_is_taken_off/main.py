import asyncio
import os
import tempfile

from tearoom.client import afternoon

STOPS = False


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(afternoon(os.path.join(folder, "stove.sock"), STOPS, ready))
