import asyncio
import os
import signal
import threading
import time
import urllib.request

import uvicorn
from fastapi import BackgroundTasks, FastAPI

signal.alarm(120)

app = FastAPI()
drawer = asyncio.Lock()


async def write_receipt(order):
    async with drawer:
        await asyncio.sleep(0.01)


@app.post("/orders/{order}")
async def pay(order: int, later: BackgroundTasks):
    async with drawer:
        await asyncio.sleep(0.01)
    later.add_task(write_receipt, order)
    return {"paid": order}


def visit(port):
    time.sleep(1)
    while True:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/orders/1", method="POST")
        with urllib.request.urlopen(request) as answer:
            answer.read()
        time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    sock = server.config.bind_socket()
    guest = threading.Thread(target=visit, args=(sock.getsockname()[1],), name="guest", daemon=True)
    guest.start()
    server.run(sockets=[sock])
