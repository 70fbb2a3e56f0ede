import asyncio
import multiprocessing
import os
import time


async def keep_time(reader, writer):
    while await reader.readline():
        await asyncio.sleep(0.05)
        writer.write(b"%d\n" % time.time())
        await writer.drain()


async def serve_clock(port):
    server = await asyncio.start_server(keep_time, "127.0.0.1", 0)
    port.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def clock(port):
    asyncio.run(serve_clock(port))


class Station:
    async def connect(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)

    async def now(self):
        self.writer.write(b"time\n")
        await self.writer.drain()
        return int(await self.reader.readline())

    def print_table(self):
        pid = os.fork()
        if pid == 0:
            if TIDY:
                self.writer.transport.abort()
            time.sleep(0.2)
            os._exit(0)
        return pid


async def main(port):
    station = Station()
    await station.connect(port)
    for _ in range(3):
        await station.now()
    child = station.print_table()
    await asyncio.sleep(0.1)
    while True:
        await station.now()
        os.waitpid(child, os.WNOHANG) if child else None
        child = 0


TIDY = True


if __name__ == "__main__":
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=clock, args=(theirs,), name="clock", daemon=True
    )
    process.start()
    port = ours.recv()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main(port))
