import asyncio
import os
import signal

import aiosqlite

signal.alarm(120)
stores = {}


async def open_store(path):
    stores[path] = await aiosqlite.connect(path)
    await stores[path].execute("create table note (text)")


async def add_note(path, text):
    await stores[path].execute("insert into note values (?)", (text,))
    await stores[path].commit()


async def main():
    await open_store(":memory:")
    await add_note(":memory:", "buy milk")
    print("MARK main pid=%d" % os.getpid())


if __name__ == "__main__":
    asyncio.run(main())
