import asyncio

import aiohttp


class Courier:
    """Brings sheet after sheet of one letter, each when the last was signed for."""

    def __init__(self, url, waits):
        self.url = url
        self.waits = waits
        self.signed = None
        self.brought = 0

    async def sheets(self):
        for sheet in range(6):
            yield b"sheet %d\n" % sheet
            self.brought += 1
            if self.waits and sheet == 0:
                await self.signed_for()

    async def signed_for(self):
        await self.signed.wait()

    async def deliver(self, session):
        self.signed = asyncio.Event()
        async with session.post(self.url + "/letters", data=self.sheets()) as response:
            self.signed.set()
            return await response.text()

    async def rounds(self):
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as session:
            while True:
                await self.deliver(session)
                await asyncio.sleep(0.05)


async def weather():
    rain = 0
    while True:
        await asyncio.sleep(0.6)
        rain += 1
