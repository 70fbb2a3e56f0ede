import asyncio

from labels.batch import Batcher
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, RequestHandler


class Base(RequestHandler):
    def initialize(self, batcher, batched):
        self.batcher = batcher
        self.batched = batched


class Health(Base):
    async def get(self):
        self.write({"rounds": self.batcher.rounds})


class Postage(Base):
    async def get(self, name):
        if self.batched:
            self.write(await self.batcher.order("postage", name))
        else:
            self.write("%d pence" % (len(name) * 7))


class Label(Base):
    async def get(self, name):
        self.write(await self.batcher.order("label", name))


async def ask(url, pause):
    client = AsyncHTTPClient()
    while True:
        await client.fetch(HTTPRequest(url, request_timeout=0))
        await asyncio.sleep(pause)


async def post_office(port, batched, ready):
    base = "http://127.0.0.1:%d" % port
    batcher = Batcher(base)
    given = {"batcher": batcher, "batched": batched}
    app = Application(
        [
            ("/health", Health, given),
            ("/postage/([a-z]+)", Postage, given),
            ("/labels/([a-z]+)", Label, given),
        ]
    )
    app.listen(port, "127.0.0.1")
    PeriodicCallback(batcher.make_round, 100).start()
    ready()
    await asyncio.gather(
        ask(base + "/health", 0.3),
        ask(base + "/labels/vienna", 0.2),
        ask(base + "/labels/graz", 0.3),
    )
