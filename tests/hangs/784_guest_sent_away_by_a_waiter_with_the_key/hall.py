import asyncio


class Hall:
    def __init__(self, tables):
        self.free = tables
        self.door = asyncio.Condition()
        self.waiting = {}

    async def enter(self, guest):
        async with self.door:
            while not self.free:
                await self.door.wait()
            self.free -= 1
        return guest

    def announce(self, guest):
        self.waiting[guest] = asyncio.create_task(self.enter(guest), name=guest)

    async def close(self):
        async with self.door:
            for visit in self.waiting.values():
                visit.cancel()
                try:
                    await visit
                except asyncio.CancelledError:
                    pass
            self.waiting.clear()
