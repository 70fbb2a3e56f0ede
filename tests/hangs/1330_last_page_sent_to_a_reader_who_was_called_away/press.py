import anyio
from anyio import CancelScope


class Desk:
    def __init__(self):
        self.printed = 0
        self.editions = 0
        self.pages = []

    async def read(self, received):
        async for page in received:
            self.pages.append(page)
            self.printed += 1
            del self.pages[:-20]


class Writer:
    def __init__(self, pages, polite):
        self.pages = pages
        self.polite = polite
        self.number = 0

    async def sign_off(self):
        with CancelScope(shield=self.polite):
            await self.pages.send("the end after %d pages" % self.number)

    async def write(self):
        try:
            while True:
                self.number += 1
                await self.pages.send("page %d" % self.number)
                await anyio.sleep(0.01)
        finally:
            await self.sign_off()


async def edition(desk, hours, polite):
    send, receive = anyio.create_memory_object_stream(0)
    with anyio.move_on_after(hours):
        async with anyio.create_task_group() as group:
            group.start_soon(desk.read, receive, name="reader")
            group.start_soon(Writer(send, polite).write, name="writer")
    send.close()
    receive.close()
    desk.editions += 1


async def clock(minutes):
    while True:
        minutes.append(len(minutes) % 60)
        del minutes[:-60]
        await anyio.sleep(0.9)
