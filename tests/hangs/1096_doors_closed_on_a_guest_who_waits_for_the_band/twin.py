import asyncio
import os

import uvicorn
from sse_starlette import EventSourceResponse
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.routing import Route

SAYS_GOOD_NIGHT = True


class Hall:
    def __init__(self):
        self.songs = asyncio.Queue()
        AppStatus.disable_automatic_graceful_drain()
        app = Starlette(routes=[Route("/songs", self.play)])
        self.server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))

    async def play(self, request):
        return EventSourceResponse(self.sing())

    async def sing(self):
        while song := await self.songs.get():
            yield {"data": song}

    def strike_up(self, song):
        self.songs.put_nowait(song)

    async def open_hall(self):
        self.serving = asyncio.create_task(self.server.serve(), name="uvicorn")
        while not self.server.started:
            await asyncio.sleep(0.01)
        return self.server.servers[0].sockets[0].getsockname()[1]

    async def close_hall(self):
        if SAYS_GOOD_NIGHT:
            self.strike_up(None)
        self.server.should_exit = True
        await self.serving


class Guest:
    def __init__(self, port):
        self.port = port
        self.heard = asyncio.Event()

    async def listen(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET /songs HTTP/1.1\r\nHost: hall\r\n\r\n")
        while line := await reader.readline():
            if line.startswith(b"data"):
                self.heard.set()
        writer.close()


async def hold_evening():
    hall = Hall()
    guest = Guest(await hall.open_hall())
    listening = asyncio.create_task(guest.listen(), name="guest")
    hall.strike_up("waltz")
    await guest.heard.wait()
    await hall.close_hall()
    await listening


async def hold_evenings():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await hold_evening()


if __name__ == "__main__":
    asyncio.run(hold_evenings())
