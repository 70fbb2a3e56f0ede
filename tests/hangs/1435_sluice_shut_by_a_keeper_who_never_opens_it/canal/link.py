import asyncio


class Link(asyncio.Protocol):
    def __init__(self, name):
        self.name = name
        self.transport = None
        self.room = asyncio.Event()
        self.room.set()
        self.lost = asyncio.Event()
        self.heard = 0

    def connection_made(self, transport):
        self.transport = transport
        transport.set_write_buffer_limits(high=64 * 1024)

    def data_received(self, data):
        self.heard += len(data)

    def connection_lost(self, error):
        self.lost.set()

    def pause_writing(self):
        self.room.clear()

    def continue_writing(self):
        self.room.set()

    async def send(self, block):
        await self.room.wait()
        self.transport.write(block)


class CalmLink(Link):
    def resume_writing(self):
        self.continue_writing()
