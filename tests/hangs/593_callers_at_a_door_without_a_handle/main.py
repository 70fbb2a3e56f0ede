import asyncio
import os
import resource
import signal
import tempfile

signal.alarm(120)


class Gallery:
    def __init__(self, folder):
        self.folder = folder
        self.pictures = []

    async def receive(self, reader, writer):
        name = (await reader.readline()).decode().strip()
        for side in ("front", "back"):
            self.pictures.append(open(os.path.join(self.folder, name + side), "w"))
        writer.write(b"thanks\n")
        await writer.drain()
        writer.close()


async def call_in(port, name):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(name.encode() + b"\n")
    answer = await reader.readline()
    writer.close()
    return answer


async def open_gallery(folder):
    gallery = Gallery(folder)
    server = await asyncio.start_server(gallery.receive, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
    for number in range(100):
        await call_in(port, "picture%d" % number)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        asyncio.run(open_gallery(folder))
