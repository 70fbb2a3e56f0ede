import os

import trio

from harbour import Keeper, Lighthouse, Ship, weather

CAREFUL = False


async def main():
    lighthouse = Lighthouse()
    out, into = trio.open_memory_channel(0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Ship(lighthouse).sail, into, name="ship")
        nursery.start_soon(Keeper(lighthouse, CAREFUL).keep, out, name="keeper")
        nursery.start_soon(weather, [], name="weather")
        print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    trio.run(main)
