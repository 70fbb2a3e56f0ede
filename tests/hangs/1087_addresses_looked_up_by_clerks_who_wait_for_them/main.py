import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

CLERKS = 2


class Exchange:
    async def answer(self, reader, writer):
        while line := await reader.readline():
            writer.write(line.upper())
            await writer.drain()
        writer.close()

    async def open(self):
        server = await asyncio.start_server(self.answer, "localhost", 0)
        return server.sockets[0].getsockname()[1]


class Registry:
    def __init__(self, loop, port):
        self.loop = loop
        self.port = port
        self.entries = {}

    async def dial(self, name):
        reader, writer = await asyncio.open_connection("localhost", self.port)
        writer.write(name.encode() + b"\n")
        answer = await reader.readline()
        writer.close()
        return answer.decode().strip()

    def file_entry(self, name):
        number = asyncio.run_coroutine_threadsafe(self.dial(name), self.loop).result()
        self.entries[name] = number

    async def file_all(self, names):
        await asyncio.gather(*(asyncio.to_thread(self.file_entry, name) for name in names))


async def run_registry():
    loop = asyncio.get_running_loop()
    port = await Exchange().open()
    loop.set_default_executor(ThreadPoolExecutor(CLERKS, thread_name_prefix="clerk"))
    registry = Registry(loop, port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await registry.file_all(["ada", "bert"])
        await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(run_registry())
