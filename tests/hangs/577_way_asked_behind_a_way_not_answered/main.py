import asyncio
import os
import signal
import threading

from aiohttp import web
from gremlin_python.driver.client import Client
from gremlin_python.driver.serializer import GraphSONSerializersV3d0

signal.alarm(120)
waiting = []


class Roads:
    def __init__(self, url):
        words = GraphSONSerializersV3d0()
        self.client = Client(url, "g", pool_size=1, max_workers=2, message_serializer=words)

    def begin(self, start):
        return self.client.submit_async("g.V('%s').out('road').count()" % start)

    def count(self, start):
        return self.begin(start).result().all().result()


async def hold(request):
    line = web.WebSocketResponse()
    await line.prepare(request)
    async for message in line:
        waiting.append(message.data)
    return line


def serve(server, ready):
    async def open_line():
        application = web.Application()
        application.router.add_get("/gremlin", hold)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.append(site._server.sockets[0].getsockname()[1])
        ready.set()
        await asyncio.Event().wait()

    asyncio.run(open_line())


if __name__ == "__main__":
    server, ready = [], threading.Event()
    threading.Thread(target=serve, args=(server, ready), name="roads", daemon=True).start()
    ready.wait()
    roads = Roads("ws://127.0.0.1:%d/gremlin" % server[0])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    first = roads.begin("mill")
    roads.count("harbour")
