import asyncio
import os
import signal
import subprocess
import sys

import aiomqtt

signal.alarm(120)

HERE = os.path.dirname(os.path.abspath(__file__))


class Garden:
    def __init__(self, client):
        self.client = client
        self.readings = asyncio.Queue()

    async def read_gauge(self):
        await self.client.publish("garden/gauge", "?")
        return await self.readings.get()

    async def move_valve(self, order):
        level = await self.read_gauge()
        return order if level > 1 else "closed"

    async def follow_orders(self):
        async for message in self.client.messages:
            if message.topic.matches("garden/gauge/value"):
                self.readings.put_nowait(int(message.payload))
            else:
                await self.move_valve(message.payload)


async def tend(port):
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe("garden/#")
        await Garden(client).follow_orders()


if __name__ == "__main__":
    broker = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "broker.py")], stdout=subprocess.PIPE, text=True
    )
    port = int(broker.stdout.readline())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(tend(port))
