import asyncio
import json
import sys

BODY = b"." * 12_000_000 + b"\n"


class Gazette:
    """Sends each edition to all subscribers, and answers their questions at a second door."""

    def __init__(self, apart):
        self.apart = apart
        self.subscribers = {}
        self.editions = asyncio.Queue(maxsize=4)
        self.number = 0
        self.printed = 0

    async def subscribe(self, reader, writer):
        name = (await reader.readline()).decode().strip()
        self.subscribers[name] = writer
        try:
            await reader.read()
        finally:
            self.subscribers.pop(name, None)
            writer.close()

    async def deliver(self, name, writer, sheet):
        writer.write(sheet)
        await writer.drain()

    async def press(self):
        while True:
            sheet, answered = await self.editions.get()
            for name, writer in list(self.subscribers.items()):
                if self.apart:
                    writer.write(sheet)
                else:
                    await self.deliver(name, writer, sheet)
            self.printed += 1
            if answered is not None and not answered.done():
                answered.set_result(self.printed)

    async def counter(self, reader, writer):
        while True:
            line = await reader.readline()
            if not line:
                break
            question = json.loads(line)
            answered = asyncio.get_running_loop().create_future()
            await self.editions.put((b"notice %d\n\n" % question["about"], answered))
            writer.write(b"%d\n" % await answered)
            await writer.drain()
        writer.close()

    async def newsroom(self):
        while True:
            self.number += 1
            await self.editions.put((b"edition %d\n" % self.number + BODY, None))
            await asyncio.sleep(0.5)

    async def open(self, readers):
        street = await asyncio.start_server(self.subscribe, "127.0.0.1", 0)
        door = await asyncio.start_server(self.counter, "127.0.0.1", 0)
        ports = [str(each.sockets[0].getsockname()[1]) for each in (street, door)]
        for name in ("alma", "bruno"):
            await asyncio.create_subprocess_exec(sys.executable, "-u", readers, name, *ports)
        while len(self.subscribers) < 2:
            await asyncio.sleep(0.05)
        print_desk = asyncio.create_task(self.press(), name="press")
        await asyncio.gather(print_desk, asyncio.create_task(self.newsroom(), name="newsroom"))
