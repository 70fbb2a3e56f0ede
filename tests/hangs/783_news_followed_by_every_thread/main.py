import asyncio
import os
import signal
import subprocess
import sys

import anyio.to_thread
import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from news import Board

signal.alarm(120)

app = FastAPI()
board = Board()


@app.get("/news")
def follow_news():
    return StreamingResponse(board.follow(), media_type="text/event-stream")


@app.post("/news/{text}")
def pin_news(text: str):
    return {"readers": board.pin(text)}


async def serve(readers):
    anyio.to_thread.current_default_thread_limiter().total_tokens = 4
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    serving = asyncio.create_task(server.serve(), name="serving")
    while not server.started:
        await asyncio.sleep(0.05)
    house = "http://127.0.0.1:%d" % server.servers[0].sockets[0].getsockname()[1]
    visitors = os.path.join(os.path.dirname(os.path.abspath(__file__)), "visitors.py")
    subprocess.Popen([sys.executable, visitors, house, str(readers)])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await serving


if __name__ == "__main__":
    asyncio.run(serve(4))
