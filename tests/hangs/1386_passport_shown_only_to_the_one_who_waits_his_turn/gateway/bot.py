import asyncio
import os

import aiohttp

from gateway.server import Gateway


class Bot:
    def __init__(self, name):
        self.name = name
        self.turn = asyncio.Lock()
        self.joined = {}
        self.uptime = 0

    async def listen(self):
        async for message in self.socket:
            event = message.json()
            await getattr(self, "on_" + event["op"])(event)

    async def on_probe(self, event):
        async with self.turn:
            await self.socket.send_json({"op": "proof", "nonce": event["nonce"]})

    async def on_joined(self, event):
        self.joined[event["channel"]].set_result(self.name)

    async def join(self, channel):
        self.joined[channel] = asyncio.get_running_loop().create_future()
        async with self.turn:
            await self.socket.send_json({"op": "join", "channel": channel})
            await self.joined[channel]

    async def tick(self):
        while True:
            self.uptime += 1
            await asyncio.sleep(0.4)

    async def run(self, port, channels, pause):
        async with aiohttp.ClientSession() as http:
            self.socket = await http.ws_connect(f"http://127.0.0.1:{port}/gateway")
            helpers = [
                asyncio.create_task(self.listen(), name="listener"),
                asyncio.create_task(self.tick(), name="uptime"),
            ]
            print("MARK main pid=%d" % os.getpid(), flush=True)
            for channel in channels:
                await self.join(channel)
                await asyncio.sleep(pause)
            for helper in helpers:
                helper.cancel()


async def main(strict, pause):
    runner, port = await Gateway(strict).start()
    await Bot("pip").run(port, ["news", "music"], pause)
    await runner.cleanup()
