import asyncio

from depot.day import main

if __name__ == "__main__":
    asyncio.run(main(["iron", "timber"], 1, 0, stop_first=False))
