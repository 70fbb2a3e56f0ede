import asyncio
import os


class Clock:
    def __init__(self):
        self.strokes = 0

    async def strike(self):
        while True:
            self.strokes += 1
            await asyncio.sleep(0.2)


class Compositor:
    """Sets pages into the tray and corrects them when they have been read."""

    def __init__(self, tray, reader, keeps_open):
        self.tray = tray
        self.reader = reader
        self.keeps_open = keeps_open
        self.faults = 0

    async def set_page(self, number):
        path = os.path.join(self.tray, "page-%d.txt" % number)
        page = open(path, "w")
        try:
            page.write("page %d of the evening paper\n" % number)
            page.flush()
            if not self.keeps_open:
                page.close()
            self.faults += await self.reader.verdict(path)
        finally:
            page.close()

    async def work(self):
        number = 0
        while True:
            number += 1
            await self.set_page(number)
            await asyncio.sleep(0.2)
