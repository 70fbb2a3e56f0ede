import asyncio
import os
import socket


class Ferry:
    def __init__(self, bank):
        self.bank = bank

    async def hear(self):
        return await asyncio.get_running_loop().sock_recv(self.bank, 64)

    async def cross(self):
        while True:
            if await self.hear() == b"fare":
                await asyncio.sleep(0.01)
                await asyncio.get_running_loop().sock_sendall(self.bank, b"over")


class Traveller:
    def __init__(self, bank):
        self.bank = bank

    async def travel(self):
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(0.05)
            await loop.sock_sendall(self.bank, b"fare")
            await loop.sock_recv(self.bank, 64)


async def main():
    north, south = socket.socketpair()
    north.setblocking(WAITING)
    south.setblocking(False)
    ferry = asyncio.create_task(Ferry(north).cross(), name="ferry")
    traveller = asyncio.create_task(Traveller(south).travel(), name="traveller")
    await asyncio.gather(ferry, traveller)


WAITING = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
