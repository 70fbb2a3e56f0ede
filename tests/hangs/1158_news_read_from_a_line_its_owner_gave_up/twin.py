import asyncio
import os

import grpc


class Agency:
    def __init__(self):
        self.happened = asyncio.Event()
        self.stories = [b"storm", b"ferry", b"fair"]

    async def report(self, request, context):
        for story in self.stories:
            yield story
        await self.happened.wait()
        yield b"late edition"

    async def open(self):
        server = grpc.aio.server()
        handlers = {"Report": grpc.unary_stream_rpc_method_handler(self.report)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("Agency", handlers),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        return server, port


class Desk:
    def __init__(self, port):
        self.channel = grpc.aio.insecure_channel("127.0.0.1:%d" % port)
        self.news = []

    async def follow(self):
        call = self.channel.unary_stream("/Agency/Report")(b"all")
        while True:
            story = await call.read()
            if story is grpc.aio.EOF:
                return
            self.news.append(story)

    def open(self):
        self.reader = asyncio.create_task(self.follow(), name="reader")

    async def close(self):
        await self.reader
        await self.channel.close()


async def run_desk():
    agency = Agency()
    if LATE:
        agency.happened.set()
    _server, port = await agency.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        desk = Desk(port)
        desk.open()
        await asyncio.sleep(0.05)
        await desk.close()


LATE = True


if __name__ == "__main__":
    asyncio.run(run_desk())
