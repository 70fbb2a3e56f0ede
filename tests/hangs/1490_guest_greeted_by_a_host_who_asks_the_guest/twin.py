import asyncio
import os

from lounge.personas import Receptionist, tools_for
from lounge.session import Session

DIRECT = False


class Meter:
    def __init__(self):
        self.level = 0

    async def run(self):
        while True:
            self.level = (self.level * 7 + 3) % 101
            await asyncio.sleep(0.1)


async def evening():
    book = []
    session = Session(tools_for(book, DIRECT))
    while True:
        await session.switch(Receptionist(DIRECT))
        await asyncio.sleep(0.1)
        await session.say("/play_music")
        del book[:-5]


async def main():
    meter = asyncio.create_task(Meter().run(), name="meter")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(meter, evening())


if __name__ == "__main__":
    asyncio.run(main())
