import asyncio
import os

from postmaster import Postmaster
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler


class StampHandler(RequestHandler):
    async def get(self, country):
        await asyncio.sleep(0.02)
        self.write("stamp of " + country)


class LetterHandler(RequestHandler):
    def initialize(self, hall):
        self.hall = hall

    async def get(self, name):
        stamp = await self.hall.post.send("/stamp/" + name[0])
        self.hall.written += 1
        self.write("dear %s, %s" % (name, stamp))


class TownHall:
    def __init__(self, messengers):
        self.written = 0
        sockets = bind_sockets(0, "127.0.0.1")
        self.post = Postmaster(sockets[0].getsockname()[1], messengers)
        server = HTTPServer(
            Application(
                [
                    ("/stamp/(.*)", StampHandler),
                    ("/letter/(.*)", LetterHandler, {"hall": self}),
                ]
            )
        )
        server.add_sockets(sockets)

    async def invite(self, guests):
        return await asyncio.gather(*(self.post.send("/letter/" + guest) for guest in guests))

    async def flag(self):
        while True:
            await asyncio.sleep(0.5)

    async def open(self):
        flag = asyncio.create_task(self.flag(), name="flag")
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while not flag.done():
            await self.invite(["anna", "boris", "carla", "dana"])
            await asyncio.sleep(0.3)


def run(messengers):
    async def main():
        await TownHall(messengers).open()

    asyncio.run(main())
