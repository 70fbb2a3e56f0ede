import asyncio

from laundry.shop import Shop

if __name__ == "__main__":
    print(asyncio.run(Shop(3, 0.1).day([6, 7, -1, 6, 8, 7])))
