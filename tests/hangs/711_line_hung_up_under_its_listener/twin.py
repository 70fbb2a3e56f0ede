import asyncio
import os
import signal
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Station:
    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port))
        self.line.setblocking(False)
        self.winds = []

    async def listen(self):
        loop = asyncio.get_running_loop()
        while True:
            wind = await loop.sock_recv(self.line, 100)
            if not wind:
                return
            self.winds.append(wind)

    def hang_up(self):
        self.line.shutdown(socket.SHUT_RDWR)


async def watch(port):
    station = Station(port)
    listener = asyncio.create_task(station.listen(), name="listener")
    await asyncio.sleep(0.5)
    station.hang_up()
    await listener
    return len(station.winds)


async def watch_all(port):
    while True:
        await watch(port)


if __name__ == "__main__":
    port = start("weather_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(watch_all(port))
