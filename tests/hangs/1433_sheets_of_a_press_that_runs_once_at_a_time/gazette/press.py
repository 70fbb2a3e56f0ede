import asyncio


class Sheet:
    def __init__(self, size):
        self.size = size
        self.notes = []
        self.full = asyncio.Event()

    def add(self, note):
        self.notes.append(note)
        if len(self.notes) >= self.size:
            self.full.set()


class Wire:
    def __init__(self):
        self.number = 0
        self.ticks = 0

    async def fetch(self):
        await asyncio.sleep(0.05)
        self.number += 1
        return "note %d" % self.number

    async def tick(self):
        self.ticks += 1


class Gazette:
    def __init__(self, wire, size):
        self.wire = wire
        self.size = size
        self.sheet = Sheet(size)
        self.issues = []

    async def collect(self):
        sheet = self.sheet
        sheet.add(await self.wire.fetch())
        await sheet.full.wait()
        if self.sheet is sheet:
            self.sheet = Sheet(self.size)
            self.issues.append(sheet.notes)
