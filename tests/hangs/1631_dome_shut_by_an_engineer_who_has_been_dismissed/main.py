import os

import trio

from hill.dome import Dome, Engine
from hill.night import Night, Sky

WAITS_FOR_ENGINE = True


async def main():
    sky = Sky()
    engine = Engine()
    dome = Dome(engine, sky, WAITS_FOR_ENGINE)
    night = Night(sky, dome, engine)
    async with trio.open_nursery() as hill:
        hill.start_soon(sky.turn)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            await night.observe()


if __name__ == "__main__":
    trio.run(main)
