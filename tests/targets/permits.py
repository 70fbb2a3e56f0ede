"""A server's permits, taken and given back by calls: ``permits.py leaky|contended|long``.

Leaky: one request has kept them; those of others that need none are served on. Contended and long
are healthy: all wait for each other's permits in turn, or for one who needs a while.
"""

import asyncio
import sys

from ready import ready

STATE = sys.argv[1]


class Server:
    def __init__(self):
        self.permits = asyncio.Semaphore(2)
        self.served = 0

    async def generate(self, number):
        await self.permits.acquire()
        await self.step(number)
        if STATE != "leaky" or number > 1:
            self.permits.release()

    async def step(self, number):
        self.served += 1
        await asyncio.sleep(20 if STATE == "long" and number < 2 else 0.03)

    async def health(self):
        await asyncio.sleep(0.001)
        return self.served


async def clients(server, number):
    while True:
        await server.generate(number)
        number += 6


async def probe(server):
    while True:
        await asyncio.create_task(server.health())
        await asyncio.sleep(0.05)


async def main():
    server = Server()
    asking = [asyncio.create_task(clients(server, number)) for number in range(6)]
    probing = asyncio.create_task(probe(server))
    await asyncio.sleep(0.3)
    ready()
    await asyncio.gather(probing, *asking)


asyncio.run(main())
