import asyncio
import os
import socket

from aiohttp import web
from lodge.app import make_app
from lodge.guests import Doctor, Guest

PLACES = 8


async def serve():
    listener = socket.create_server(("127.0.0.1", 0))
    base = "http://127.0.0.1:%d" % listener.getsockname()[1]
    runner = web.AppRunner(make_app(base, PLACES))
    await runner.setup()
    await web.SockSite(runner, listener).start()
    for number, name in enumerate(["anna", "emil", "ida", "karl"]):
        Guest(base, name, number + 1).start()
    Doctor(base).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await asyncio.sleep(3600)


if __name__ == "__main__":
    asyncio.run(serve())
