import asyncio

import aiosqlite

SCHEMA = """
create table wines (id integer primary key, name text, grape text, year int);
create table grapes (code text primary key, title text);
"""


class Store:
    def __init__(self, path, own_names):
        self.path = path
        self.own_names = own_names
        self.db = None
        self.titles = {}

    async def open(self):
        self.loop = asyncio.get_running_loop()
        self.db = await aiosqlite.connect(self.path)
        await self.db.executescript(SCHEMA)
        await self.db.create_function("grape_title", 1, self.title_of)
        await self.db.executemany(
            "insert into grapes values (?, ?)", [("RI", "Riesling"), ("PN", "Pinot")]
        )
        await self.db.executemany(
            "insert into wines (name, grape, year) values (?, ?, ?)",
            [("Hang", "RI", 2019), ("Kessel", "PN", 2020), ("Turm", "RI", 2021)],
        )
        await self.db.commit()
        if self.own_names:
            self.titles.update(await self.load_titles())

    async def load_titles(self):
        async with self.db.execute("select code, title from grapes") as rows:
            return {code: title async for code, title in rows}

    def title_of(self, code):
        if code not in self.titles:
            pending = asyncio.run_coroutine_threadsafe(self.load_titles(), self.loop)
            self.titles.update(pending.result())
        return self.titles[code]

    async def listing(self, year):
        query = "select name, grape_title(grape) from wines where year >= ?"
        async with self.db.execute(query, (year,)) as rows:
            return [row async for row in rows]
