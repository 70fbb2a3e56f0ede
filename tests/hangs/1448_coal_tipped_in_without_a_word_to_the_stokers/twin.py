import asyncio
import os

from boilerhouse.bunker import Bunker
from boilerhouse.crew import Crew

ANNOUNCE = True


async def main():
    crew = Crew(Bunker(ANNOUNCE))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await crew.shift()


if __name__ == "__main__":
    asyncio.run(main())
