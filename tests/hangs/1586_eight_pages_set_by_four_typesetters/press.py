import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

from bridge import Archive, Bridge


class Page:
    def __init__(self, number):
        self.number = number
        self.columns = []

    def typeset(self, bridge):
        for column in range(3):
            self.columns.append(bridge.fetch(self.number * 10 + column).upper())
        return self


class Press:
    def __init__(self, bridge):
        self.bridge = bridge
        self.printed = 0

    async def edition(self, pages):
        batch = [Page(number) for number in range(pages)]
        for page in await asyncio.gather(
            *(asyncio.to_thread(page.typeset, self.bridge) for page in batch)
        ):
            self.printed += len(page.columns)

    async def letters(self):
        while True:
            await asyncio.sleep(0.3)


async def daily(pages):
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4))
    bridge = Bridge(await Archive().open())
    press = Press(bridge)
    desk = asyncio.create_task(press.letters(), name="letters")
    await bridge.get(1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not desk.done():
        await press.edition(pages)
        await asyncio.sleep(0.1)


def run(pages):
    asyncio.run(daily(pages))
