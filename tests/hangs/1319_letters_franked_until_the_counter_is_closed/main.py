import asyncio
import os

from post_office import PostOffice, radio

LIMIT = 8


async def main():
    office = PostOffice(LIMIT, 3)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(office.open_all_year(), radio())


if __name__ == "__main__":
    asyncio.run(main())
