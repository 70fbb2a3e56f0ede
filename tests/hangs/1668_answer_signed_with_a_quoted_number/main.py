import asyncio
import os

from client import Herbarium, Line, season

STYLE = "quote"


async def main():
    here = os.path.dirname(os.path.abspath(__file__))
    line = Line()
    listening = await line.start(os.path.join(here, "botanist.py"), STYLE)
    collect = asyncio.create_task(Herbarium(line).collect(), name="collect")
    await asyncio.gather(listening, collect, asyncio.create_task(season(), name="season"))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
