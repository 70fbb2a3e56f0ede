import asyncio
import os
import socket
import threading
import urllib.request

import uvicorn
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route


class Engine:
    def __init__(self):
        self.streams = set()
        self.decoder = None

    def start(self):
        self.decoder = asyncio.create_task(self.decode(), name="decoder")

    def stop(self):
        self.decoder.cancel()

    async def decode(self):
        number = 0
        while True:
            for stream in list(self.streams):
                stream.put_nowait("token%d " % number)
            number += 1
            await asyncio.sleep(0.05)

    async def next_token(self, stream):
        return await stream.get()

    async def stream_tokens(self, count):
        stream = asyncio.Queue()
        self.streams.add(stream)
        try:
            for _ in range(count):
                yield await self.next_token(stream)
        finally:
            self.streams.discard(stream)


ENGINE = Engine()


async def generate(request):
    return StreamingResponse(ENGINE.stream_tokens(40))


async def scale_down(server):
    await asyncio.sleep(4.2)
    ENGINE.stop()
    server.should_exit = True


def ask(port):
    while True:
        with urllib.request.urlopen("http://127.0.0.1:%d/generate" % port) as answer:
            answer.read()


async def main(listener):
    app = Starlette(routes=[Route("/generate", generate)])
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    ENGINE.start()
    if SCALED:
        asyncio.create_task(scale_down(server), name="scale-down")
    await server.serve(sockets=[listener])


SCALED = True


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    threading.Thread(target=ask, args=(port,), name="client", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main(listener))
