import asyncio
import os
import socket

import aiozmq.rpc

STALL_IS_OPEN = True


class Stall(aiozmq.rpc.AttrHandler):
    def __init__(self):
        self.prices = {"tea": 4, "rice": 2}

    @aiozmq.rpc.method
    def price(self, item: str) -> int:
        return self.prices[item]


class Buyer:
    def __init__(self, address):
        self.address = address
        self.line = None
        self.paid = 0

    async def come(self):
        self.line = await aiozmq.rpc.connect_rpc(connect=self.address)

    async def ask_price(self, item):
        return await self.line.call.price(item)

    async def buy(self, items):
        for item in items:
            self.paid += await self.ask_price(item)


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return "tcp://127.0.0.1:%d" % listener.getsockname()[1]


async def main():
    address = free_address()
    if STALL_IS_OPEN:
        stall = await aiozmq.rpc.serve_rpc(Stall(), bind=address)
        print("serving", stall is not None, flush=True)
    buyer = Buyer(address)
    await buyer.come()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await buyer.buy(["tea", "rice"])
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
