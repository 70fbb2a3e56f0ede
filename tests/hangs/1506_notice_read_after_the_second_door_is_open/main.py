import asyncio
import os
import socket
import subprocess
import sys

from hypercorn.asyncio import serve
from hypercorn.config import Config

from club.app import application

ROOM, TEXT, HOW = 8, "dinner is served " * 20000, "after"


async def main():
    door = socket.create_server(("127.0.0.1", 0))
    port = door.getsockname()[1]
    config = Config()
    config.bind = ["fd://%d" % door.fileno()]
    config.loglevel = "warning"
    member = subprocess.Popen([sys.executable, "-m", "club.member", str(port), "miles", HOW])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        await serve(application(ROOM, TEXT), config)
    finally:
        member.kill()


if __name__ == "__main__":
    asyncio.run(main())
