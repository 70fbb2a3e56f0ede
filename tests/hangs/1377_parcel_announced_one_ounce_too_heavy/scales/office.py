import asyncio

from scales.wire import pack, receive


class Office:
    def __init__(self, path, delay):
        self.path = path
        self.delay = delay
        self.weighed = 0

    async def weigh(self, parcel):
        await asyncio.sleep(self.delay)
        self.weighed += 1
        return {"grams": 10 * len(parcel["label"]), "number": self.weighed}

    async def serve_client(self, reader, writer):
        while True:
            parcel = await receive(reader)
            writer.write(pack(await self.weigh(parcel)))
            await writer.drain()

    async def run(self):
        server = await asyncio.start_unix_server(self.serve_client, self.path)
        async with server:
            await server.serve_forever()


def open_office(path, delay):
    asyncio.run(Office(path, delay).run())
