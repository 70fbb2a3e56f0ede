import asyncio
import os
import resource
import signal

signal.alarm(120)


class Gallery:
    def __init__(self):
        self.pictures = {}

    async def receive(self, reader, writer):
        name = await reader.readline()
        self.pictures[name] = writer
        writer.write(b"thanks\n")
        await writer.drain()


class Painter:
    def __init__(self, port):
        self.port = port
        self.lines = []

    async def call_in(self, name):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.lines.append(writer)
        writer.write(name.encode() + b"\n")
        return await reader.readline()


async def open_gallery():
    server = await asyncio.start_server(Gallery().receive, "127.0.0.1", 0)
    painter = Painter(server.sockets[0].getsockname()[1])
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    places = [os.dup(0) for _ in range(21)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (places[-1] + 1, places[-1] + 1))
    for place in places:
        os.close(place)
    for number in range(100):
        await painter.call_in("picture%d" % number)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(open_gallery())
