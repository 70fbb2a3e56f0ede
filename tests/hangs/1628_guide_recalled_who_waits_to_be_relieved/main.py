import asyncio
import os

from pass_.hut import Hut, Weather
from pass_.guide import Party

SIGNS_OFF = True


async def main():
    weather = Weather()
    hut = Hut(weather)
    party = Party(hut, SIGNS_OFF)
    tasks = [
        asyncio.create_task(hut.supper(), name="hut"),
        asyncio.create_task(weather.change(), name="weather"),
        asyncio.create_task(party.season(), name="party"),
    ]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
