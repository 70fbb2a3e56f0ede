import asyncio
import os

import grpc

from library_desk.codec import decode, encode
from library_desk.service import Desk


class Reader:
    def __init__(self, channel, name):
        self.name = name
        self.lend = channel.unary_unary("/desk.Desk/Lend", encode, decode)
        self.close = channel.unary_unary("/desk.Desk/Close", encode, decode)

    async def borrow(self, book):
        return await self.lend({"book": book, "reader": self.name})

    async def leave(self, now):
        return await self.close({"now": now, "patience": 86400})


async def heating(values):
    while True:
        values.append(19 + len(values) % 3)
        del values[:-6]
        await asyncio.sleep(0.4)


async def main(now, slow):
    server = grpc.aio.server()
    desk = Desk(server, 0)
    server.add_generic_rpc_handlers((desk.handlers(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    warm = asyncio.create_task(heating([]), name="heating")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        reader = Reader(channel, "lena")
        await reader.borrow("Walden")
        await reader.borrow("Emma")
        desk.slow = slow
        print("MARK main pid=%d" % os.getpid(), flush=True)
        print(await reader.leave(now))
    warm.cancel()
