import asyncio

from cellar.house import House

if __name__ == "__main__":
    asyncio.run(House(own_names=True).evening(60))
