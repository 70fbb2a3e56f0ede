import asyncio
import json
import os
import socket

import uvicorn
import websockets

from banquet.hall import Hall


class Visitor:
    def __init__(self, name, port, slow):
        self.name = name
        self.url = "ws://127.0.0.1:%d/seat/%s" % (port, name)
        self.slow = slow
        self.heard = []

    async def visit(self, words, ready):
        async with websockets.connect(self.url) as line:
            await ready
            if words:
                await line.send(json.dumps({"say": words}))
            async for text in line:
                message = json.loads(text)
                if "done" in message:
                    return
                self.heard.append(message["toast"])
                await asyncio.sleep(self.slow)
                await line.send(json.dumps({"raise": True}))


async def main(host_raises, slow):
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    hall = Hall(host_raises)
    server = uvicorn.Server(uvicorn.Config(hall.app(), log_level="warning"))
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.05)
    ready = asyncio.get_event_loop().create_future()
    visits = [
        asyncio.ensure_future(Visitor("ida", port, slow).visit("to the cook", ready)),
        asyncio.ensure_future(Visitor("jon", port, slow).visit("", ready)),
    ]
    while len(hall.guests) < 2:
        await asyncio.sleep(0.05)
    ready.set_result(None)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await visits[0]
    visits[1].cancel()
    server.should_exit = True
    await serving
