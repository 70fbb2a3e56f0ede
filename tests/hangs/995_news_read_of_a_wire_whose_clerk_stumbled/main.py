import asyncio
import os

from broadcaster import Broadcast
from broadcaster._base import Event

LINES = ["prices apples 3", "prices pears 4", "prices closing", "prices plums 2"]


class Wire:
    def __init__(self):
        self.reader = None
        self.writer = None

    async def connect(self):
        server = await asyncio.start_server(self.send_lines, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)

    async def disconnect(self):
        self.writer.close()

    async def subscribe(self, channel):
        pass

    async def unsubscribe(self, channel):
        pass

    async def publish(self, channel, message):
        pass

    async def send_lines(self, reader, writer):
        while True:
            for line in LINES:
                writer.write(line.encode() + b"\n")
                await writer.drain()
                await asyncio.sleep(0.1)

    async def next_published(self):
        line = await self.reader.readline()
        channel, name, price = line.decode().split()
        return Event(channel=channel, message="%s=%d" % (name, int(price)))


class Kiosk:
    def __init__(self, broadcast):
        self.broadcast = broadcast
        self.prices = {}

    def show(self, event):
        name, price = event.message.split("=")
        self.prices[name] = price

    async def follow(self, channel):
        async with self.broadcast.subscribe(channel) as subscriber:
            async for event in subscriber:
                self.show(event)


async def open_kiosk():
    async with Broadcast(backend=Wire()) as broadcast:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await Kiosk(broadcast).follow("prices")


if __name__ == "__main__":
    asyncio.run(open_kiosk())
