import asyncio
import os
import signal

import grpc

signal.alarm(120)


async def sew(measures, context):
    async for measure in measures:
        await asyncio.sleep(0.02)
        yield b"sleeve of " + measure


async def open_shop():
    shop = grpc.aio.server()
    method = grpc.stream_stream_rpc_method_handler(sew)
    shop.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("Tailor", {"Sew": method})])
    port = shop.add_insecure_port("127.0.0.1:0")
    await shop.start()
    return shop, port


class Customer:
    def __init__(self, channel):
        self.call = channel.stream_stream("/Tailor/Sew")()

    async def try_on(self, measure):
        await self.call.write(measure)
        return await self.call.read()


async def buy(measures):
    _shop, port = await open_shop()
    async with grpc.aio.insecure_channel("127.0.0.1:%d" % port) as channel:
        customer = Customer(channel)
        while True:
            [await customer.try_on(measure) for measure in measures]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(buy([b"60 cm", b"62 cm"]))
