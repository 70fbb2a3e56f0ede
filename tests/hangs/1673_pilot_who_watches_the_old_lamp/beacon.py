import asyncio
import contextlib


class Beacon:
    """A lighthouse that drops its keepers' lines now and then."""

    def __init__(self):
        self.lines = 0

    async def keep(self, reader, writer):
        self.lines += 1
        if self.lines % 2 == 1:
            await asyncio.sleep(0.3)
            writer.close()
            return
        writer.write(b"lit\n")
        flashes = 0
        with contextlib.suppress(OSError):
            while flashes < 100000:
                writer.write(b"flash\n")
                await writer.drain()
                flashes += 1
                await asyncio.sleep(0.1)
        writer.close()


class Keeper:
    def __init__(self, port, same_lamp):
        self.port = port
        self.same_lamp = same_lamp
        self.lit = asyncio.Event()
        self.flashes = 0

    async def connect(self):
        if self.same_lamp:
            self.lit.clear()
        else:
            self.lit = asyncio.Event()
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def watch(self):
        while True:
            reader, writer = await self.connect()
            while line := await reader.readline():
                if line == b"lit\n":
                    self.lit.set()
                else:
                    self.flashes += 1
            writer.close()
            await asyncio.sleep(0.1)


class Pilot:
    def __init__(self, keeper):
        self.keeper = keeper
        self.ships = 0

    async def until_lit(self):
        await self.keeper.lit.wait()

    async def guide(self):
        while True:
            await self.until_lit()
            await asyncio.sleep(0.1)
            self.ships += 1


async def coast(same_lamp):
    beacon = Beacon()
    server = await asyncio.start_server(beacon.keep, "127.0.0.1", 0)
    keeper = Keeper(server.sockets[0].getsockname()[1], same_lamp)
    watch = asyncio.create_task(keeper.watch(), name="watch")
    await asyncio.sleep(0.1)
    pilot = asyncio.create_task(Pilot(keeper).guide(), name="pilot")
    await asyncio.gather(watch, pilot)
