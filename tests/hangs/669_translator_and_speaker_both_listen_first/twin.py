import asyncio
import os
import signal

import grpc

signal.alarm(120)


class Translator:
    async def translate(self, request, context):
        await context.write(b"hej")
        async for word in request:
            await context.write(word[::-1])

    def handlers(self):
        stream = grpc.stream_stream_rpc_method_handler(self.translate)
        return grpc.method_handlers_generic_handler("desk.Translator", {"Translate": stream})


class SlowTranslator(Translator):
    async def translate(self, request, context):
        async for word in request:
            await context.write(word[::-1])


async def open_desk():
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([Translator().handlers()])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, port


async def talk(port, words):
    async with grpc.aio.insecure_channel("127.0.0.1:%d" % port) as channel:
        call = channel.stream_stream("/desk.Translator/Translate")()
        await call.read()
        for word in words:
            await call.write(word.encode())
            await call.read()


async def visit():
    server, port = await open_desk()
    try:
        while True:
            await talk(port, ["bread", "milk"])
            await asyncio.sleep(0.1)
    finally:
        await server.stop(None)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(visit())
