import asyncio
import os
import threading
import time

HANGS_UP = True


class Exchange:
    async def answer(self, reader, writer):
        while line := await reader.readline():
            if line == b"bye\n" and HANGS_UP:
                await asyncio.sleep(0.1)
                break
            writer.write(b"price 21\n")
            await writer.drain()
        writer.close()

    async def open(self):
        server = await asyncio.start_server(self.answer, "127.0.0.1", 0)
        return server, server.sockets[0].getsockname()[1]


def run_exchange(ports):
    async def serve():
        server, port = await Exchange().open()
        ports.append(port)
        async with server:
            await server.serve_forever()

    asyncio.run(serve())


class Feed:
    def __init__(self, port):
        self.port = port
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="feed", daemon=True)
        self.thread.start()

    def wait_for(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    async def connect(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self):
        self.writer.write(b"price\n")
        return await self.reader.readline()

    async def say_goodbye(self):
        self.writer.write(b"bye\n")
        await self.reader.read()
        self.writer.close()

    def close_connection(self):
        self.wait_for(self.say_goodbye())


def look_up(port):
    feed = Feed(port)
    feed.wait_for(feed.connect())
    feed.wait_for(feed.ask())
    feed.close_connection()
    feed.loop.call_soon_threadsafe(feed.loop.stop)


def main():
    ports = []
    threading.Thread(target=run_exchange, args=(ports,), name="exchange", daemon=True).start()
    while not ports:
        time.sleep(0.01)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        look_up(ports[0])
        time.sleep(0.05)


if __name__ == "__main__":
    main()
