import asyncio
import os
import subprocess
import tempfile

import psycopg


def start_database():
    """A PostgreSQL of our own, on a socket in a new folder."""
    home = tempfile.mkdtemp(prefix="kitchen-")
    os.chmod(home, 0o777)
    programs = "/usr/lib/postgresql/%s/bin/" % max(os.listdir("/usr/lib/postgresql"))
    quiet = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    quiet.update(cwd="/", user="postgres")
    made = [programs + "initdb", "-A", "trust", "-N", "-D", home + "/data"]
    subprocess.run(made, check=True, **quiet)
    options = ["-D", home + "/data", "-k", home, "-c", "listen_addresses=", "-c", "fsync=off"]
    subprocess.Popen([programs + "postgres", *options], **quiet)
    return "host=%s user=postgres dbname=postgres" % home


async def connect(address):
    for _ in range(100):
        try:
            return await psycopg.AsyncConnection.connect(address, autocommit=True)
        except psycopg.OperationalError:
            await asyncio.sleep(0.1)
    raise TimeoutError("no database")


class Kitchen:
    """Cooks what is called out on the channel "orders"."""

    def __init__(self, address):
        self.address = address
        self.cooked = 0

    async def cook(self):
        line = await connect(self.address)
        bell = await connect(self.address)
        await line.execute("LISTEN orders")
        async for order in line.notifies():
            self.cooked += 1
            await bell.execute("SELECT pg_notify('plates', %s)", (order.payload,))


class Hall:
    def __init__(self, address, write_first):
        self.address = address
        self.write_first = write_first
        self.plates = {}
        self.number = 0
        self.served = 0

    async def hear(self):
        line = await connect(self.address)
        await line.execute("LISTEN plates")
        async for plate in line.notifies():
            waiting = self.plates.pop(plate.payload, None)
            if waiting is not None:
                waiting.set_result(True)

    async def plate_of(self, plate):
        return await plate

    async def call_out(self, book, order):
        plate = self.plates[order] = asyncio.get_running_loop().create_future()
        await book.execute("INSERT INTO bill VALUES (%s)", (order,))
        await book.execute("SELECT pg_notify('orders', %s)", (order,))
        return plate

    async def serve(self, book):
        self.number += 1
        order = "order %d" % self.number
        if self.write_first:
            async with book.transaction():
                plate = await self.call_out(book, order)
            await self.plate_of(plate)
        else:
            async with book.transaction():
                await self.plate_of(await self.call_out(book, order))
        self.served += 1

    async def evening(self):
        book = await connect(self.address)
        await book.execute("CREATE TABLE IF NOT EXISTS bill (name text)")
        await asyncio.sleep(0.5)
        while True:
            await self.serve(book)
            await asyncio.sleep(0.05)


async def candles():
    burnt = 0
    while True:
        await asyncio.sleep(0.7)
        burnt += 1
