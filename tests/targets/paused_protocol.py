"""A client waits for the answer of a server in a child, whose protocol has paused reading."""

import asyncio
import subprocess
import sys

from ready import PYTHON, ready


class Gate(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.pause_reading()
        self.transport.write(b"wait\n")


async def serve():
    loop = asyncio.get_event_loop()
    server = await loop.create_server(Gate, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.create_future()


async def ask(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"one\n")
    await reader.readline()
    ready()
    await reader.readline()


if __name__ == "__main__":
    if sys.argv[1:] == ["gate"]:
        asyncio.run(serve())
    else:
        gate = subprocess.Popen([PYTHON, __file__, "gate"], stdout=subprocess.PIPE)
        asyncio.run(ask(int(gate.stdout.readline())))
