import asyncio
import os
import socket
import subprocess
import sys

import uvicorn

from radio.app import application

NOTES = 2


async def main():
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application(4, NOTES), log_level="warning")
    server = uvicorn.Server(config)
    base = "http://127.0.0.1:%d" % listener.getsockname()[1]
    audience = subprocess.Popen([sys.executable, "-m", "radio.audience", base])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        await server.serve(sockets=[listener])
    finally:
        audience.kill()


if __name__ == "__main__":
    asyncio.run(main())
