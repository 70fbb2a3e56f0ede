import asyncio
import os

from museum.house import Museum, day

OWN = True


async def main():
    museum = Museum(["stones", "birds", "clocks"], OWN)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await day(museum, 5)
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
