import asyncio

from freight.delivery import main

if __name__ == "__main__":
    asyncio.run(main(["inn", "forge"], 0.1))
