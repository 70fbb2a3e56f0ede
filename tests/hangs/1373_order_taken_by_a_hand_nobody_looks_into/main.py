import asyncio

from kitchen.evening import main

if __name__ == "__main__":
    asyncio.run(main(keep=False, speed=0.2))
