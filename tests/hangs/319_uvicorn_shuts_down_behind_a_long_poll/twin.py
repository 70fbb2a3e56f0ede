import asyncio
import os
import signal
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

news, polled = asyncio.Queue(), asyncio.Event()


async def next_news(request):
    polled.set()
    return JSONResponse(await news.get())


async def stop_server(server, serving):
    server.should_exit = True
    await serving


async def publish_news():
    while True:
        await asyncio.sleep(0.2)
        await news.put("tea is here")


async def run_shop():
    app = Starlette(routes=[Route("/news", next_news)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    serving = asyncio.create_task(server.serve(), name="serving")
    while not server.started:
        await asyncio.sleep(0.05)
    start("poll_client", server.servers[0].sockets[0].getsockname()[1])
    await polled.wait()
    print("MARK main pid=%d" % os.getpid())
    await publish_news()
    await stop_server(server, serving)


if __name__ == "__main__":
    asyncio.run(run_shop())
