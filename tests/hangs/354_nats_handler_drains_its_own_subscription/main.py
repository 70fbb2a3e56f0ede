import asyncio
import os
import signal
import sys

import nats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Meter:
    def __init__(self, client, wanted):
        self.client, self.wanted = client, wanted
        self.values = []
        self.complete = asyncio.Event()

    async def read(self):
        self.subscription = await self.client.subscribe("meters.north", cb=self.take_value)
        await self.complete.wait()
        return self.values

    async def take_value(self, message):
        self.values.append(int(message.data))
        if len(self.values) == self.wanted:
            await self.subscription.drain()
            self.complete.set()


async def main():
    client = await nats.connect("nats://127.0.0.1:%d" % start("nats_server"))
    print("MARK main pid=%d" % os.getpid())
    print(await Meter(client, 5).read())
    await client.close()


if __name__ == "__main__":
    asyncio.run(main())
