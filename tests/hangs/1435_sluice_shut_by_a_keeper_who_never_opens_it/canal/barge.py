import asyncio
import sys

DOWNSTREAM = """
import asyncio, sys

async def take(reader, writer):
    while True:
        block = await reader.read(65536)
        if not block:
            break
        await asyncio.sleep(0.001)

async def main():
    server = await asyncio.start_server(take, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()

asyncio.run(main())
"""


class Barge:
    def __init__(self, link, load):
        self.link = link
        self.load = load
        self.sent = 0

    async def sail(self):
        while True:
            await self.link.send(self.load)
            self.sent += 1
            await asyncio.sleep(0)


class Warden:
    def __init__(self):
        self.looked = 0

    async def look(self):
        while True:
            self.looked += 1
            await asyncio.sleep(0.4)


async def start_downstream():
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", DOWNSTREAM, stdout=asyncio.subprocess.PIPE
    )
    return child, int(await child.stdout.readline())


async def traffic(kind, ready):
    child, port = await start_downstream()
    loop = asyncio.get_running_loop()
    _, link = await loop.create_connection(lambda: kind("lower canal"), "127.0.0.1", port)
    warden = Warden()
    ready()
    async with asyncio.TaskGroup() as group:
        group.create_task(warden.look(), name="warden")
        for number in range(2):
            group.create_task(Barge(link, b"." * 9000).sail(), name="barge-%d" % number)
    child.kill()
