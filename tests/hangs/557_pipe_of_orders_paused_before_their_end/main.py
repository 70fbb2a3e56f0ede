import asyncio
import os
import signal

signal.alarm(120)


class Orders(asyncio.Protocol):
    LIMIT = 5

    def __init__(self):
        self.rest = b""
        self.lines = []
        self.complete = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.lines += lines
        if b"end" in self.lines:
            self.complete.set_result(len(self.lines) - 1)
        elif len(self.lines) > self.LIMIT:
            self.transport.pause_reading()

    async def take(self):
        count = await self.complete
        self.transport.resume_reading()
        return self.lines[:count]


async def send_orders(reader, writer):
    for number in range(20):
        writer.write(b"order %d\n" % number)
        await asyncio.sleep(0.02)
    writer.write(b"end\n")
    await writer.drain()
    await reader.read()
    writer.close()


async def take_orders(port):
    loop = asyncio.get_running_loop()
    transport, orders = await loop.create_connection(Orders, "127.0.0.1", port)
    lines = await orders.take()
    transport.close()
    return lines


async def run_shop():
    server = await asyncio.start_server(send_orders, "127.0.0.1", 0)
    await take_orders(server.sockets[0].getsockname()[1])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_shop())
