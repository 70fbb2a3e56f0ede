import asyncio
import os
import signal

from grpclib.client import Channel, StreamUnaryMethod
from grpclib.const import Cardinality, Handler
from grpclib.encoding.base import CodecBase
from grpclib.server import Server

signal.alarm(120)


class TextCodec(CodecBase):
    __content_subtype__ = "text"

    def encode(self, message, message_type):
        return message.encode()

    def decode(self, data, message_type):
        return data.decode()


class Archive:
    async def upload(self, stream):
        size = 0
        async for page in stream:
            size += len(page)
        await stream.send_message("%d letters" % size)

    def __mapping__(self):
        return {"/Archive/Upload": Handler(self.upload, Cardinality.STREAM_UNARY, str, str)}


async def store_pages(channel, pages):
    method = StreamUnaryMethod(channel, "/Archive/Upload", str, str)
    async with method.open() as stream:
        for page in pages:
            await stream.send_message(page)
        return await stream.recv_message()


async def main():
    server = Server([Archive()], codec=TextCodec())
    await server.start("127.0.0.1", 0)
    port = server._server.sockets[0].getsockname()[1]
    async with Channel("127.0.0.1", port, codec=TextCodec()) as channel:
        print("MARK main pid=%d" % os.getpid())
        print(await store_pages(channel, ["first page", "second page"]))


if __name__ == "__main__":
    asyncio.run(main())
