from contextlib import aclosing


class Catalogue:
    """Reads long lists of the database piece by piece."""

    def __init__(self, pool):
        self.pool = pool

    async def rows(self, table):
        async with self.pool.acquire() as connection:
            cursor = await connection.cursor()
            await cursor.execute("SELECT 1 FROM %s" % table)
            for number in range(100):
                yield table, number

    async def count(self, table):
        async with self.pool.acquire() as connection:
            cursor = await connection.cursor()
            await cursor.execute("SELECT count(*) FROM %s" % table)
            return 100


class Reading:
    """A page now, the next one when the reader asks for it."""

    def __init__(self, catalogue, table):
        self.lines = catalogue.rows(table)
        self.page = []

    async def turn(self, size):
        self.page = []
        async for row in self.lines:
            self.page.append(row)
            if len(self.page) == size:
                break
        return self.page


async def first_page(catalogue, table, size):
    page = []
    async with aclosing(catalogue.rows(table)) as lines:
        async for row in lines:
            page.append(row)
            if len(page) == size:
                return page
    return page
