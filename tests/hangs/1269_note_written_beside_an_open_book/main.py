import asyncio
import os
import tempfile

import aiosqlite


class Bank:
    def __init__(self, path):
        self.path = path

    async def open(self):
        async with aiosqlite.connect(self.path) as book:
            await book.execute("create table accounts (name text, cents int)")
            await book.execute("create table log (line text)")
            await book.commit()

    async def note(self, line):
        async with aiosqlite.connect(self.path, timeout=3600) as book:
            await book.execute("insert into log values (?)", (line,))
            await book.commit()

    async def pay_in(self, name, cents):
        async with aiosqlite.connect(self.path, timeout=3600) as book:
            await book.execute("insert into accounts values (?, ?)", (name, cents))
            if NOTE_FIRST:
                await self.note("%s brings %d" % (name, cents))
            await book.commit()


async def open_counter(bank):
    while True:
        await bank.pay_in("ines", 100)
        await asyncio.sleep(0.02)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        bank = Bank(os.path.join(folder, "bank.db"))
        await bank.open()
        await asyncio.create_task(open_counter(bank), name="counter")


NOTE_FIRST = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
