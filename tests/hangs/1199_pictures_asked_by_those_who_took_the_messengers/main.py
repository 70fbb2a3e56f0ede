import asyncio
import os

import tornado.httpclient
import tornado.httpserver
import tornado.netutil
import tornado.web


class Pictures:
    def __init__(self, port, most):
        self.base = "http://127.0.0.1:%d" % port
        self.client = tornado.httpclient.AsyncHTTPClient(max_clients=most)

    async def fetch(self, path):
        request = tornado.httpclient.HTTPRequest(
            self.base + path, connect_timeout=0, request_timeout=0
        )
        return (await self.client.fetch(request)).body


class Picture(tornado.web.RequestHandler):
    async def get(self, name):
        await asyncio.sleep(0.01)
        self.write("<svg><title>%s</title></svg>" % name)


class Album(tornado.web.RequestHandler):
    def initialize(self, pictures):
        self.pictures = pictures

    async def get(self):
        cover = await self.pictures.fetch("/picture/cover")
        self.write(b"<html>" + cover + b"</html>")


class Visitor:
    def __init__(self, pictures):
        self.pictures = pictures
        self.seen = 0

    async def visit(self):
        self.seen += len(await self.pictures.fetch("/album"))


async def run_gallery():
    sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
    pictures = Pictures(sockets[0].getsockname()[1], MESSENGERS)
    application = tornado.web.Application(
        [("/album", Album, {"pictures": pictures}), ("/picture/(.*)", Picture)]
    )
    server = tornado.httpserver.HTTPServer(application)
    server.add_sockets(sockets)
    visitors = [Visitor(pictures) for _ in range(2)]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await asyncio.gather(*(visitor.visit() for visitor in visitors))
        await asyncio.sleep(0.05)


MESSENGERS = 2


if __name__ == "__main__":
    asyncio.run(run_gallery())
