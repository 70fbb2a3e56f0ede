import asyncio


class LockHouse:
    """Takes barges in and tells how many more may come, several at once."""

    def __init__(self, path, by):
        self.path = path
        self.by = by
        self.chamber = asyncio.Queue(8)

    async def open(self):
        return await asyncio.start_unix_server(self.receive, self.path)

    async def receive(self, reader, writer):
        passed = 0
        while True:
            barge = await reader.readline()
            if not barge:
                break
            await self.chamber.put(barge.decode().strip())
            passed += 1
            if passed % self.by == 0:
                writer.write(b"%d\n" % self.by)
                await writer.drain()
        writer.close()


class Keeper:
    def __init__(self, house):
        self.house = house
        self.loads = {}
        self.lit = 0

    async def lamp(self):
        while True:
            self.lit += 1
            await asyncio.sleep(0.25)

    async def count(self):
        while True:
            barge = await self.house.chamber.get()
            name, load = barge.split()
            self.loads[name] = self.loads.get(name, 0) + int(load)
            await asyncio.sleep(0.02)
