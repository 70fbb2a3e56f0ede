import asyncio

from gateway.bot import main

if __name__ == "__main__":
    asyncio.run(main(strict=True, pause=0.1))
