import asyncio
import os
import signal

from tortoise import Tortoise, fields
from tortoise.models import Model
from tortoise.transactions import in_transaction

signal.alarm(120)


class Order(Model):
    number = fields.IntField(primary_key=True)


class Entry(Model):
    text = fields.TextField()


async def write_audit(entries):
    while True:
        text, written = await entries.get()
        await Entry.create(text=text)
        written.set_result(True)


async def place_order(entries, number):
    async with in_transaction():
        await Order.create(number=number)
        written = asyncio.get_running_loop().create_future()
        await entries.put((f"order {number}", written))
        await written


async def run_shop():
    await Tortoise.init(db_url="sqlite://:memory:", modules={"models": ["__main__"]})
    await Tortoise.generate_schemas()
    entries = asyncio.Queue()
    audit = asyncio.create_task(write_audit(entries), name="audit")
    print("MARK main pid=%d" % os.getpid())
    await place_order(entries, 1)
    audit.cancel()


if __name__ == "__main__":
    asyncio.run(run_shop())
