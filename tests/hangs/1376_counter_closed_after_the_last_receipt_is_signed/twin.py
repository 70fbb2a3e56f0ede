import asyncio

from laundry.shop import Shop

if __name__ == "__main__":
    print(asyncio.run(Shop(3, 30).day([6, 7, 9, 6, 8, 7])))
