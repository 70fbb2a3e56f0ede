import asyncio

from dairy import Dairy
from pasture import Pasture


async def main():
    await Dairy(Pasture(places=1)).work()


if __name__ == "__main__":
    asyncio.run(main())
