import asyncio

from dairy import Dairy
from pasture import CarefulPasture


async def main():
    await Dairy(CarefulPasture(places=1)).work()


if __name__ == "__main__":
    asyncio.run(main())
