import asyncio
import os
import signal
import socket

from hypercorn.asyncio import serve
from hypercorn.config import Config

signal.alarm(120)


class NewsRoom:
    def __init__(self):
        self.published = asyncio.Event()
        self.asked = asyncio.Event()

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        self.asked.set()
        await self.published.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"news"})


async def read_news(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /news HTTP/1.1\r\nHost: shop\r\n\r\n")
    answer = await reader.read(1000)
    writer.close()
    return answer


async def run_shop(listener):
    config = Config()
    config.bind = ["fd://%d" % listener.fileno()]
    config.graceful_timeout, config.loglevel = 1, "ERROR"
    room, closing = NewsRoom(), asyncio.Event()
    serving = asyncio.create_task(serve(room, config, shutdown_trigger=closing.wait))
    customer = asyncio.create_task(read_news(listener.getsockname()[1]))
    await room.asked.wait()
    closing.set()
    asyncio.get_running_loop().call_later(0.3, room.published.set)
    await serving
    await customer


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(run_shop(socket.create_server(("127.0.0.1", 0))))
