import asyncio

from aiohttp import web


class Paper:
    def __init__(self):
        self.readers = []
        self.printed = 0

    async def subscribe(self, request):
        reader = web.WebSocketResponse(heartbeat=None)
        await reader.prepare(request)
        self.readers.append(reader)
        async for message in reader:
            pass
        return reader

    async def send_to_all(self, page):
        for reader in self.readers:
            await reader.send_str(page)

    async def print_pages(self):
        while True:
            self.printed += 1
            await self.send_to_all("page %d " % self.printed * 5000)
            await asyncio.sleep(0.01)
