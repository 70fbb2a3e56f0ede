import os
import signal
import socket
import subprocess
import sys

import fastapi
import requests
import uvicorn

signal.alarm(120)
VISITOR = """
import time, urllib.request
time.sleep(1)
while True:
    urllib.request.urlopen(%r).read()
    time.sleep(0.05)
"""
app = fastapi.FastAPI()


@app.get("/version")
async def version():
    return {"version": "1.4"}


@app.get("/health")
def health_status(port: int):
    answer = requests.get(f"http://127.0.0.1:{port}/version")
    return {"version": answer.json()}


@app.on_event("startup")
async def announce():
    print("MARK main pid=%d" % os.getpid(), flush=True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def visit(url):
    return subprocess.Popen([sys.executable, "-c", VISITOR % url])


if __name__ == "__main__":
    port = free_port()
    visit(f"http://127.0.0.1:{port}/health?port={port}")
    uvicorn.run(app, port=port, log_level="warning")
