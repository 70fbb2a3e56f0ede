import asyncio
import os
import signal

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

signal.alarm(120)


class Reception:
    def __init__(self):
        self.calls = {}

    async def welcome(self, guest):
        room = await guest.recv()
        calls = self.calls[room] = asyncio.Queue()
        await guest.send("welcome")
        while True:
            await guest.send(await calls.get())

    def wake(self, room):
        self.calls[room].put_nowait("good morning")


async def visit(port):
    async with connect("ws://127.0.0.1:%d" % port) as house:
        await house.send("12")
        await house.recv()


async def run_house(reception):
    house = await serve(reception.welcome, "127.0.0.1", 0, ping_interval=None)
    await visit(house.sockets[0].getsockname()[1])
    house.close()
    await house.wait_closed()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_house(Reception()))
