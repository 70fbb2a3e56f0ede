import asyncio
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = ">I"


class Weatherman:
    def __init__(self, port):
        self.port = port
        self.reports = {}

    async def call(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def receive(self):
        (size,) = struct.unpack(SIZE, await self.reader.readexactly(4))
        return await self.reader.readexactly(size)

    async def report_of(self, station):
        self.writer.write(station.encode() + b"\n")
        await self.writer.drain()
        return (await self.receive()).decode()

    async def collect(self):
        for station in ("Brocken", "Sylt"):
            self.reports[station] = await self.report_of(station)


def start_station():
    command = [sys.executable, "-u", os.path.join(HERE, "station.py")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    return int(process.stdout.readline())


async def main():
    weatherman = Weatherman(start_station())
    await weatherman.call()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await weatherman.collect()
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
