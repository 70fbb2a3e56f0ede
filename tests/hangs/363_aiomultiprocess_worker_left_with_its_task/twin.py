import asyncio
import os
import signal

import aiomultiprocess

signal.alarm(120)


async def read_page(number):
    await asyncio.sleep(0.05)
    return "page %d" % number


async def read_book(pool, pages):
    return await pool.map(read_page, range(pages))


async def main():
    async with aiomultiprocess.Pool(processes=2) as pool:
        print("MARK main pid=%d" % os.getpid())
        while True:
            await read_book(pool, 8)


if __name__ == "__main__":
    asyncio.run(main())
