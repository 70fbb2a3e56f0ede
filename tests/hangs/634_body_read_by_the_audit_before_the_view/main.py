import asyncio
import os
import signal
import sys

import uvicorn
from fastapi import FastAPI, Request

from audit import Audit

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

app = FastAPI()


@app.post("/payments")
async def take_payment(request: Request):
    payment = await request.json()
    return {"paid": payment["amount"]}


async def serve():
    server = uvicorn.Server(uvicorn.Config(Audit(app), port=0, log_level="error"))
    serving = asyncio.create_task(server.serve(), name="serving")
    while not server.started:
        await asyncio.sleep(0.05)
    start("post_client", server.servers[0].sockets[0].getsockname()[1], "/payments")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await serving


if __name__ == "__main__":
    asyncio.run(serve())
