import asyncio
import os
import sys

import aiopg

from library.room import ReadingRoom

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

KEEP = True


async def main():
    port = start("postgres_server")
    dsn = "host=127.0.0.1 port=%d user=reader dbname=library sslmode=disable" % port
    async with aiopg.create_pool(
        dsn, minsize=1, maxsize=4, enable_hstore=False, enable_json=False, enable_uuid=False
    ) as pool:
        room = ReadingRoom(pool, KEEP)
        stock = asyncio.create_task(room.take_stock(), name="stock")
        bell = asyncio.create_task(room.opening_bell(), name="bell")
        print("MARK main pid=%d" % os.getpid(), flush=True)
        reader = 0
        while not (stock.done() or bell.done()):
            await room.visit("reader-%d" % reader, "books")
            reader += 1
            await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
