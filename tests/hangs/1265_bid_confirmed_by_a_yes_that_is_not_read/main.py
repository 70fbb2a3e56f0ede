import asyncio
import os

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application
from tornado.websocket import WebSocketHandler, websocket_connect


class Auction(WebSocketHandler):
    def open(self):
        self.confirmed = None

    async def on_message(self, message):
        if message.startswith("bid"):
            if ASK_BACK:
                await self.confirm(message)
            await self.write_message("sold")
        elif message == "yes" and self.confirmed is not None:
            self.confirmed.set_result(True)

    async def confirm(self, bid):
        self.confirmed = asyncio.get_running_loop().create_future()
        await self.write_message("really " + bid)
        return await self.confirmed


class Bidder:
    def __init__(self, port):
        self.port = port

    async def bid(self, line, amount):
        await line.write_message("bid %d" % amount)
        while True:
            answer = await line.read_message()
            if answer == "sold":
                return amount
            await line.write_message("yes")

    async def attend(self):
        line = await websocket_connect("ws://127.0.0.1:%d/" % self.port)
        amount = 0
        while True:
            await self.bid(line, amount)
            amount += 1
            await asyncio.sleep(0.02)


async def main():
    doors = bind_sockets(0, "127.0.0.1")
    HTTPServer(Application([("/", Auction)])).add_sockets(doors)
    await Bidder(doors[0].getsockname()[1]).attend()


ASK_BACK = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
