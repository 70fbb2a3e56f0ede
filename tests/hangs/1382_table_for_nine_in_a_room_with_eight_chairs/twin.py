import asyncio

from inference.engine import main

if __name__ == "__main__":
    asyncio.run(main(total=200, pace=0.5))
