import asyncio
import os
import queue
import signal
import sys
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
news = queue.Queue()


async def watch_feed():
    number = 0
    while True:
        await asyncio.sleep(0.5)
        number += 1
        news.put("goal %d" % number)


@asynccontextmanager
async def lifespan(app):
    watching = asyncio.create_task(watch_feed(), name="feed")
    yield
    watching.cancel()


app = FastAPI(lifespan=lifespan)


@app.get("/news")
async def next_news():
    return {"news": news.get()}


async def serve():
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    serving = asyncio.create_task(server.serve(), name="serving")
    while not server.started:
        await asyncio.sleep(0.05)
    start("poll_client", server.servers[0].sockets[0].getsockname()[1])
    print("MARK main pid=%d" % os.getpid())
    await serving


if __name__ == "__main__":
    asyncio.run(serve())
