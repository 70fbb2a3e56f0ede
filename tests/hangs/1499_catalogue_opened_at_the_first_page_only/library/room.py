import asyncio

from library.rows import Catalogue, Reading, first_page


class ReadingRoom:
    def __init__(self, pool, keep):
        self.catalogue = Catalogue(pool)
        self.keep = keep
        self.readings = {}
        self.total = 0

    async def visit(self, reader, table):
        if self.keep:
            reading = self.readings[reader] = Reading(self.catalogue, table)
            return await reading.turn(10)
        return await first_page(self.catalogue, table, 10)

    async def take_stock(self):
        while True:
            self.total += await self.catalogue.count("books")
            await asyncio.sleep(0.1)

    async def opening_bell(self):
        while True:
            await asyncio.sleep(0.25)
