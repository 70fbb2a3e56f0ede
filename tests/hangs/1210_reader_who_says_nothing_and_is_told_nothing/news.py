import asyncio
import socket

import uvicorn
from fastapi import FastAPI, WebSocket

app = FastAPI()


class Board:
    def __init__(self):
        self.number = 0

    def next(self):
        self.number += 1
        return "headline %d" % self.number


board = Board()


@app.websocket("/news")
async def follow(reader: WebSocket):
    await reader.accept()
    while True:
        await reader.send_text(board.next())
        await reader.receive_text()


async def run_paper():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="error", ws_ping_interval=None)
    await uvicorn.Server(config).serve([listener])


if __name__ == "__main__":
    asyncio.run(run_paper())
