import asyncio
import os

from stoves import Chimney, House

LAMP = "burning"


async def main():
    house = House(["kitchen", "parlour"], LAMP)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(house.heat(), Chimney().draw())


if __name__ == "__main__":
    asyncio.run(main())
