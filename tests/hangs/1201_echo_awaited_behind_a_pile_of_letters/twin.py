import asyncio
import os
import sys

from websockets.asyncio.client import connect

HERE = os.path.dirname(os.path.abspath(__file__))


class Ticker:
    def __init__(self, line):
        self.line = line
        self.latency = 0.0
        self.quotes = []

    async def measure(self):
        began = asyncio.get_running_loop().time()
        pong = await self.line.ping()
        await pong
        self.latency = asyncio.get_running_loop().time() - began

    async def read_quotes(self, count):
        for _ in range(count):
            self.quotes.append(await self.line.recv())

    async def follow(self, count):
        await self.line.send(str(count))
        await asyncio.sleep(0.3)
        await self.measure()
        await self.read_quotes(count)


async def open_exchange():
    exchange = await asyncio.create_subprocess_exec(
        sys.executable, os.path.join(HERE, "exchange.py"), stdout=asyncio.subprocess.PIPE
    )
    return int(await exchange.stdout.readline())


async def run_ticker():
    port = await open_exchange()
    async with connect("ws://127.0.0.1:%d" % port, ping_interval=None) as line:
        ticker = Ticker(line)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            await ticker.follow(QUOTES)
            ticker.quotes.clear()


QUOTES = 5


if __name__ == "__main__":
    asyncio.run(run_ticker())
