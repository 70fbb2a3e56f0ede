import asyncio
import os

from archive.client import ArchiveClient, Indexer
from archive.desk import Desk

OWN_DOOR = True


async def main():
    desk = Desk()
    base = await desk.open()
    tidying = asyncio.create_task(desk.tidy(), name="tidy")
    client = ArchiveClient(base, "rosebud", OWN_DOOR)
    indexer = Indexer(client)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as group:
        for first in range(3):
            group.create_task(indexer.work(first, 3), name="index-%d" % first)
    tidying.cancel()


if __name__ == "__main__":
    asyncio.run(main())
